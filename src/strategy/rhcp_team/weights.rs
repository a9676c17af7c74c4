//! The weights of the features.

use super::features::{CONTEXTS, FEATURES};

/// One row of weights for each context, see [`View::context`](super::features::View): the scores of candidates
/// are compared within one decision only, so only differences between candidates matter.
#[derive(Clone, Debug)]
pub(crate) struct Weights(pub(crate) [[f32; FEATURES]; CONTEXTS]);

impl Default for Weights {
    fn default() -> Weights {
        let mut rows = [[0.0; FEATURES]; CONTEXTS];
        for (context, row) in rows.iter_mut().enumerate() {
            for (weight, feature) in row.iter_mut().zip(&TUNED) {
                *weight = feature[context];
            }
        }
        Weights(rows)
    }
}

/// The weight of each feature in each context, in the orders of `Feature` and of `context`.
///
/// Found by policy gradient (Williams, "Simple statistical gradient-following algorithms", 1992): the scores are
/// read as the logarithms of the odds of each candidate, games are played by drawing candidates at these odds
/// against `rhcp` and against itself, and each weight moves with the gradient of the odds of what was played,
/// times the result of the game less what `rhcp` makes of the same deck. In play the highest score is taken.
///
/// `doudizhu arena rhcp-team rhcp --decks 10000 --seed 1`: WP 0.696 ± 0.005 (as landlord 0.674 ± 0.009, as
/// peasants 0.719 ± 0.009), ADP +1.08 ± 0.04, no illegal play.
#[rustfmt::skip]
const TUNED: [[f32; CONTEXTS]; FEATURES] = [
    // columns: see `context`
    [0.0, -4.379, 0.0, -5.24, -0.723, 0.0, -3.784, 1.649], // Pass
    [6.696, 8.223, 5.083, 6.317, 3.304, 4.606, 4.949, 3.938], // Sum
    [-4.835, -5.369, -4.528, -3.829, -2.099, -4.745, -2.574, -2.551], // Rounds
    [-0.209, -0.048, 1.981, 0.162, 4.334, 2.004, -0.344, 4.352], // OneRound
    [1.741, -0.104, 0.233, 0.314, 0.178, -0.307, -0.117, 0.185], // TwoRounds
    [0.285, -1.14, -0.226, -2.561, -2.591, 0.57, -0.501, 3.544], // Worth
    [0.953, -1.357, -0.765, -0.876, 0.287, 0.112, -0.05, -1.742], // Mine
    [-6.094, -1.911, -4.12, 0.505, -1.714, -0.943, -0.2, -2.977], // MineRounds
    [3.34, -0.827, -0.459, -0.864, -0.055, 0.574, 0.056, -2.439], // Unmatched
    [18.232, 12.276, 14.99, 6.959, 6.768, 13.701, 4.609, 11.9], // Finish
    [-3.317, -2.885, -3.291, -1.684, 2.219, -0.947, -2.008, -8.772], // Danger
    [0.0, 0.0, 0.0, 4.185, -0.723, 0.0, 0.0, 6.019], // Ally
    [0.0, 0.0, 0.0, 2.425, 4.596, 0.0, 0.0, 3.638], // Hope
    [0.0, 0.0, 2.224, 3.093, 1.107, 4.716, 1.048, 2.583], // Feed
    [-3.512, -5.322, -1.543, -1.502, -3.849, 1.698, -1.774, -5.204], // Bomb
    [-1.551, 2.829, 0.993, 3.51, -3.515, 3.472, 2.985, -4.715], // BombUrgency
    [-3.263, 1.084, -1.918, -0.464, -1.973, 0.445, 1.51, -0.334], // BombLast
    [-2.606, -2.243, -0.838, -4.976, -1.22, -2.488, -2.575, -1.975], // UrgencySum
    [-0.403, -2.991, -3.402, -3.373, -2.245, -0.344, -0.634, 2.088], // UrgencyRounds
    [6.614, 6.607, 0.861, 5.598, 1.298, 3.444, 4.536, 7.446], // UrgencyWorth
    [0.0, -9.799, 0.0, -8.993, -4.079, 0.0, -7.471, -0.94], // UrgencyPass
    [-1.167, 2.183, 6.49, 5.065, 3.648, 6.186, 4.37, 3.901], // UrgencyMine
    [5.34, 6.013, 2.465, 4.252, 1.556, 4.647, 3.278, 0.284], // StageSum
    [-3.323, -1.749, -2.353, -2.287, -0.989, -2.787, -1.579, -0.493], // StageRounds
    [-3.249, -0.278, 0.359, -1.782, -3.637, -1.189, -0.812, 6.176], // StageWorth
    [0.312, -0.206, -0.073, -0.36, 0.382, 0.834, -0.063, 0.461], // StageMine
    [0.0, -0.951, 0.0, -4.174, 0.088, 0.0, -2.754, 1.423], // StagePass
    [0.0, 0.0, 0.0, -7.667, 2.627, 0.0, -3.781, 3.084], // PartnerPass
    [0.0, 0.0, -0.237, 2.327, -2.977, -2.498, -1.242, -1.773], // PartnerMine
    [0.0, 0.0, 1.796, -0.652, -5.093, -1.578, -0.203, -1.739], // PartnerWorth
    [0.052, 0.75, 0.661, 3.549, -0.966, 1.161, 2.477, -2.727], // Cards
    [-2.716, 9.124, 2.084, 5.693, 0.965, -3.725, 6.129, -1.367], // Single
    [3.525, 0.792, -2.766, 2.923, 1.63, 2.612, 3.773, 1.503], // Pair
    [-2.996, 3.38, -1.902, -0.004, -1.596, 0.013, 0.837, -3.098], // Trio
    [1.151, 0.977, 2.815, 4.934, -0.903, 1.166, 2.845, -0.597], // Straight
    [0.852, -0.36, 0.148, 2.668, -1.825, -0.183, 1.91, 0.556], // PairChain
    [1.79, 0.81, 2.526, -0.365, -0.937, 1.906, 0.92, -0.682], // Plane
    [0.127, 2.006, -4.873, -0.852, 1.911, -1.123, 0.586, -0.309], // FourWithTwo
    [-3.082, -6.445, -4.449, -4.977, -1.596, -3.007, -2.192, -5.064], // BrokenQuads
    [-1.548, 8.972, -0.782, 4.127, 0.443, -1.277, 2.51, -0.011], // BrokenRocket
    [-3.22, -4.09, -2.547, -2.88, -2.366, -2.729, -0.917, -2.166], // HighKickers
    [2.472, 1.827, 0.764, 0.724, 0.853, 2.362, 0.793, 7.039], // Controls
    [-0.934, 4.674, -0.785, 0.727, 0.841, -0.447, 2.784, 2.622], // SingleRank
    [-2.348, -0.707, -1.434, 0.936, -0.053, 0.496, 1.865, -0.247], // PairRank
    [0.158, -1.444, -1.287, -1.602, 0.163, 0.765, -1.076, 2.137], // SingleSquare
    [-2.84, -0.753, 0.535, -0.651, -0.405, -1.113, -0.398, -1.667], // PairSquare
    [0.0, 0.153, 0.0, -6.565, 2.491, 0.0, -1.435, 7.869], // PassWorth
    [-0.948, -1.147, -2.108, -1.657, 0.559, 0.362, -0.637, 0.077], // LowSingles
    [2.037, -0.703, -0.706, 0.043, 0.349, 2.204, 0.338, 1.94], // Tops
    [1.991, 1.87, 3.29, 2.342, 0.892, 0.316, 0.998, 3.805], // BombsLeft
];
// end
