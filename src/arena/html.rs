//! The report as a web page of its own: no script, no font, no picture from elsewhere.

use std::fmt::Write as _;

use super::round_robin::Standings;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em;color:#1d2433}\
h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}table{border-collapse:collapse}\
th,td{padding:.35em .7em;text-align:right;border:1px solid #d8dde6}th:first-child{text-align:left}\
th{background:#f3f5f9;font-weight:600}small{color:#5b6579}svg text{font:13px system-ui,sans-serif;fill:#1d2433}";

/// A self-contained page with the ratings, the table of all pairs, both sides of each match, decision times
/// and plays of each type.
#[must_use]
pub fn html_report(standings: &Standings) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>Dou Dizhu arena</title><style>{STYLE}</style></head><body>\n<h1>Dou Dizhu arena</h1>\n"
    );
    if let Some(report) = standings.matches.first() {
        let _ = writeln!(
            page,
            "<p>{} decks a pair, each played twice with the sides swapped; seed {}. WP: share of games won. \
             ADP: mean points a game, the landlord for 2 and each peasant for 1, doubled by every bomb and \
             rocket. Intervals are 95 %.</p>",
            report.decks, report.seed
        );
    }
    page.push_str("<h2>Ratings</h2>\n");
    ratings(&mut page, standings);
    page.push_str("<h2>Row against column</h2>\n");
    pairs(&mut page, standings);
    page.push_str("<h2>Matches</h2>\n");
    matches(&mut page, standings);
    page.push_str("<h2>Plays of each type, per hundred turns</h2>\n");
    plays(&mut page, standings);
    page.push_str("</body></html>\n");
    page
}

/// A chart of the ratings with their intervals.
fn ratings(page: &mut String, standings: &Standings) {
    const ROW: f64 = 30.0;
    const NAMES: f64 = 170.0;
    const CHART: f64 = 560.0;
    let reach = |standing: &super::round_robin::Standing| standing.elo.abs() + standing.elo_ci95;
    let most = standings.players.iter().map(reach).fold(50.0, f64::max) * 1.15;
    let across = |elo: f64| NAMES + CHART * (elo + most) / (2.0 * most);
    let height = ROW * standings.players.len() as f64 + 10.0;
    let _ = write!(
        page,
        "<svg width=\"{}\" height=\"{height}\" role=\"img\" aria-label=\"Elo ratings\">\
         <line x1=\"{zero}\" x2=\"{zero}\" y1=\"0\" y2=\"{height}\" stroke=\"#9aa3b5\"/>",
        NAMES + CHART + 130.0,
        zero = across(0.0)
    );
    for (row, standing) in standings.players.iter().enumerate() {
        let middle = ROW * row as f64 + ROW / 2.0 + 5.0;
        let (from, to) = (across(standing.elo.min(0.0)), across(standing.elo.max(0.0)));
        let colour = if standing.elo < 0.0 { "#d98a6a" } else { "#5a8fd6" };
        let (low, high) =
            (across(standing.elo - standing.elo_ci95), across(standing.elo + standing.elo_ci95));
        let _ = write!(
            page,
            "<text x=\"0\" y=\"{baseline:.1}\">{name}</text>\
             <rect x=\"{from:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"18\" fill=\"{colour}\"/>\
             <line x1=\"{low:.1}\" x2=\"{high:.1}\" y1=\"{middle:.1}\" y2=\"{middle:.1}\" stroke=\"#1d2433\" \
             stroke-width=\"2\"/>\
             <text x=\"{label:.1}\" y=\"{baseline:.1}\">{elo:+.0} ± {ci95:.0}</text>",
            name = escape(&standing.player),
            baseline = middle + 5.0,
            top = middle - 9.0,
            width = to - from,
            label = NAMES + CHART + 20.0,
            elo = standing.elo,
            ci95 = standing.elo_ci95,
        );
    }
    page.push_str("</svg>\n");
}

fn pairs(page: &mut String, standings: &Standings) {
    page.push_str("<table><tr><th>WP<br><small>ADP</small></th>");
    for column in &standings.players {
        let _ = write!(page, "<th>{}</th>", escape(&column.player));
    }
    page.push_str("</tr>\n");
    for row in &standings.players {
        let _ = write!(page, "<tr><th>{}</th>", escape(&row.player));
        for column in &standings.players {
            match standings.result(&row.player, &column.player) {
                Some(side) => {
                    // Blue above one half, red below; the stronger the further from it.
                    let hue = if side.wp >= 0.5 { 214 } else { 18 };
                    let lightness = 97.0 - 50.0 * (side.wp - 0.5).abs();
                    let _ = write!(
                        page,
                        "<td style=\"background:hsl({hue},70%,{lightness:.0}%)\">{:.4} ± {:.4}<br>\
                         <small>{:+.3} ± {:.3}</small></td>",
                        side.wp, side.wp_ci95, side.adp, side.adp_ci95
                    );
                }
                None => page.push_str("<td>–</td>"),
            }
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table>\n");
}

fn matches(page: &mut String, standings: &Standings) {
    page.push_str(
        "<table><tr><th>A – B</th><th>WP as landlord</th><th>ADP</th><th>WP as peasants</th><th>ADP</th>\
         <th>illegal</th><th>A decides in µs<br><small>mean, p99, max</small></th>\
         <th>B decides in µs<br><small>mean, p99, max</small></th></tr>\n",
    );
    for report in &standings.matches {
        let _ = write!(page, "<tr><th>{} – {}</th>", escape(&report.a), escape(&report.b));
        for side in [&report.landlord, &report.peasants] {
            let _ = write!(
                page,
                "<td>{:.4} ± {:.4}</td><td>{:+.3} ± {:.3}</td>",
                side.wp, side.wp_ci95, side.adp, side.adp_ci95
            );
        }
        let _ = write!(page, "<td>{}</td>", report.illegal);
        match &report.decision_us {
            Some(times) => {
                for times in [&times.a, &times.b] {
                    let _ = write!(page, "<td>{:.2}, {:.1}, {:.0}</td>", times.mean, times.p99, times.max);
                }
            }
            None => page.push_str("<td>–</td><td>–</td>"),
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table>\n");
}

fn plays(page: &mut String, standings: &Standings) {
    let Some(first) = standings.matches.first() else { return };
    page.push_str("<table><tr><th>type</th>");
    for standing in &standings.players {
        let _ = write!(page, "<th>{}</th>", escape(&standing.player));
    }
    page.push_str("</tr>\n");
    for kind in first.plays.a.keys() {
        let _ = write!(page, "<tr><th>{kind}</th>");
        for standing in &standings.players {
            let (mut of_kind, mut all) = (0, 0);
            for report in &standings.matches {
                let sides = [(&report.a, &report.plays.a), (&report.b, &report.plays.b)];
                for (_, plays) in sides.into_iter().filter(|(player, _)| **player == standing.player) {
                    of_kind += plays.get(kind).copied().unwrap_or(0);
                    all += plays.values().sum::<u64>();
                }
            }
            let _ = write!(page, "<td>{:.3}</td>", 100.0 * of_kind as f64 / (all.max(1)) as f64);
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table>\n");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
