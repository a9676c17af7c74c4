use std::fmt::Write as _;

use crate::strategy::bidding::{Model, Models};

/// `models` as the source text of the module that holds the weights, formatted as the rest of the crate is.
#[must_use]
pub fn source(models: &Models, player: &str, decks: u64, seed: u64) -> String {
    let mut text = format!(
        "//! Fitted by `doudizhu arena {player} --fit-bids FILE --decks {decks} --seed {seed}`: change by running it.\n\n\
         use super::{{BidThresholds, DoubleThresholds, Model, Models}};\n\n\
         #[rustfmt::skip]\n\
         #[allow(clippy::approx_constant, reason = \"a weight that looks like a constant is none\")]\n\
         pub(super) const FITTED: Models = Models {{\n"
    );
    let _ = writeln!(text, "    bid: {},", model(&models.bid, 1));
    text.push_str("    double: [\n");
    for double in &models.double {
        let _ = writeln!(text, "        {},", model(double, 2));
    }
    text.push_str("    ],\n");
    let bids = &models.bid_thresholds;
    let _ = writeln!(
        text,
        "    bid_thresholds: BidThresholds {{ points: {:?}, call: {:?}, rob: {:?} }},",
        bids.points, bids.call, bids.rob
    );
    let doubles = &models.double_thresholds;
    let _ = writeln!(
        text,
        "    double_thresholds: DoubleThresholds {{ peasant: {:?}, landlord: {:?} }},\n}};",
        doubles.peasant, doubles.landlord
    );
    text
}

fn model(model: &Model, depth: usize) -> String {
    let indent = "    ".repeat(depth);
    let list = |weights: &[f32]| {
        let mut lines = String::new();
        for row in weights.chunks(10) {
            let row: Vec<String> = row.iter().map(|weight| format!("{weight:.4}")).collect();
            let _ = writeln!(lines, "{indent}        {},", row.join(", "));
        }
        lines
    };
    format!(
        "Model {{\n{indent}    win: [\n{}{indent}    ],\n{indent}    points: [\n{}{indent}    ],\n{indent}}}",
        list(&model.win),
        list(&model.points)
    )
}
