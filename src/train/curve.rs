//! The learning curve of a run: a table of rungs, one a line, and a drawing of it.

use std::fmt::{self, Write as _};
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

/// The name of the table in the directory of a run.
const TABLE: &str = "curve.tsv";
/// Its columns.
const HEADER: &str = "games\tdecisions\tcpu_seconds\trandom\trhcp\trhcp_error\trhcp_landlord\trhcp_peasants";

/// One rung of the curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rung {
    /// Games played so far.
    pub games: u64,
    /// Decisions learnt so far.
    pub decisions: u64,
    /// Processor seconds so far, evaluation included.
    pub cpu_seconds: f64,
    /// Share of games won against `random`.
    pub random: f64,
    /// Share of games won against `rhcp`, and half of its 95 % interval.
    pub rhcp: [f64; 2],
    /// The same by role: landlord, peasants.
    pub roles: [f64; 2],
}

impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rung { games, decisions, cpu_seconds, random, rhcp, roles } = self;
        write!(
            f,
            "games {games}, {decisions} decisions, {cpu_seconds:.0} s of processor time: WP {random:.4} against random, \
             {:.4} ± {:.4} against rhcp (landlord {:.4}, peasants {:.4})",
            rhcp[0], rhcp[1], roles[0], roles[1]
        )
    }
}

/// Processor seconds of this process so far, where the system tells.
#[must_use]
pub fn cpu_seconds() -> f64 {
    // Linux counts them in ticks of 1/100 s, fields 14 and 15; the second field may hold spaces and ends in `)`.
    let ticks = |stat: String| -> Option<u64> {
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
        Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
    };
    fs::read_to_string("/proc/self/stat").ok().and_then(ticks).map_or(0.0, |ticks| ticks as f64 / 100.0)
}

/// Adds a rung to the table in `directory`.
///
/// # Errors
/// The table cannot be written.
pub fn add(directory: &Path, rung: &Rung) -> io::Result<()> {
    let path = directory.join(TABLE);
    let is_new = !path.exists();
    let mut file = fs::OpenOptions::new().create(true).append(true).open(path)?;
    if is_new {
        writeln!(file, "{HEADER}")?;
    }
    let Rung { games, decisions, cpu_seconds, random, rhcp, roles } = rung;
    let [rhcp, error] = rhcp;
    let [landlord, peasants] = roles;
    writeln!(
        file,
        "{games}\t{decisions}\t{cpu_seconds:.0}\t{random:.4}\t{rhcp:.4}\t{error:.4}\t{landlord:.4}\t{peasants:.4}"
    )
}

/// The rungs of the table in `directory`; none if there is no table.
#[must_use]
pub fn rungs(directory: &Path) -> Vec<Rung> {
    let text = fs::read_to_string(directory.join(TABLE)).unwrap_or_default();
    let rung = |line: &str| {
        let mut columns = line.split('\t').map(|column| column.parse::<f64>().ok());
        let mut next = || columns.next().flatten();
        Some(Rung {
            games: next()? as u64,
            decisions: next()? as u64,
            cpu_seconds: next()?,
            random: next()?,
            rhcp: [next()?, next()?],
            roles: [next()?, next()?],
        })
    };
    text.lines().filter_map(rung).collect()
}

/// Draws `curve.svg` in `directory`.
///
/// # Errors
/// The drawing cannot be written.
pub fn draw(directory: &Path) -> io::Result<()> {
    fs::write(directory.join("curve.svg"), svg(&rungs(directory)))
}

/// The curve over processor minutes, on a scale where every doubling has the same width.
#[must_use]
pub fn svg(rungs: &[Rung]) -> String {
    const WIDTH: f64 = 720.0;
    const HEIGHT: f64 = 400.0;
    const MARGIN: f64 = 50.0;
    /// The lowest share of games won that is drawn.
    const FLOOR: f64 = 0.3;
    let minutes = |rung: &Rung| (rung.cpu_seconds / 60.0).max(0.1);
    let least = rungs.iter().map(minutes).fold(f64::INFINITY, f64::min).min(1.0).log2();
    let most = rungs.iter().map(minutes).fold(0.0, f64::max).max(2.0).log2();
    let x = |minutes: f64| MARGIN + (WIDTH - 2.0 * MARGIN) * (minutes.log2() - least) / (most - least);
    let y = |share: f64| HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * (share - FLOOR) / (1.0 - FLOOR);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    // Writing to a string cannot fail.
    for step in 3..=10 {
        let share = f64::from(step) / 10.0;
        let (y, right) = (y(share), WIDTH - MARGIN);
        let _ = writeln!(svg, "<path d=\"M{MARGIN} {y:.1}H{right}\" stroke=\"#ddd\"/>");
        let _ = writeln!(svg, "<text x=\"15\" y=\"{:.1}\">{share:.1}</text>", y + 4.0);
    }
    let bottom = HEIGHT - MARGIN;
    let mut doubling = least.ceil();
    while doubling <= most {
        let (at, minutes) = (x(doubling.exp2()), doubling.exp2());
        let _ = writeln!(svg, "<path d=\"M{at:.1} {MARGIN}V{bottom}\" stroke=\"#eee\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{minutes}</text>",
            bottom + 16.0
        );
        doubling += 1.0;
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">processor minutes</text>",
        WIDTH / 2.0,
        HEIGHT - 12.0
    );
    type Line<'a> = (&'a str, &'a str, fn(&Rung) -> f64);
    let lines: [Line<'_>; 4] = [
        ("against random", "#888888", |rung| rung.random),
        ("against rhcp", "#c02020", |rung| rung.rhcp[0]),
        ("as landlord", "#e09020", |rung| rung.roles[0]),
        ("as peasants", "#2060c0", |rung| rung.roles[1]),
    ];
    for (place, (name, colour, value)) in lines.into_iter().enumerate() {
        let points: Vec<String> = rungs
            .iter()
            .map(|rung| format!("{:.1},{:.1}", x(minutes(rung)), y(value(rung).max(FLOOR))))
            .collect();
        let points = points.join(" ");
        let _ = writeln!(
            svg,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        );
        let at = MARGIN + 20.0 + 150.0 * place as f64;
        let _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"30\" fill=\"{colour}\">{name}</text>");
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_read_is_the_one_that_was_written() {
        let directory = tempfile::tempdir().unwrap();
        let rung = Rung {
            games: 65_536,
            decisions: 1_500_000,
            cpu_seconds: 31.0,
            random: 0.97,
            rhcp: [0.61, 0.02],
            roles: [0.55, 0.67],
        };
        add(directory.path(), &rung).unwrap();
        add(directory.path(), &Rung { games: 131_072, ..rung }).unwrap();
        assert_eq!(rungs(directory.path()), [rung, Rung { games: 131_072, ..rung }]);
        draw(directory.path()).unwrap();
        let drawing = fs::read_to_string(directory.path().join("curve.svg")).unwrap();
        assert!(drawing.ends_with("</svg>\n") && !drawing.contains("NaN") && !drawing.contains("inf"));
    }
}
