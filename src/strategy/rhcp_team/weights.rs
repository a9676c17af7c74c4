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
#[rustfmt::skip]
const TUNED: [[f32; CONTEXTS]; FEATURES] = [
    // columns: see `context`
    [0.0, -4.313, 0.0, -4.985, -0.824, 0.0, -3.564, 1.409], // Pass
    [6.53, 7.926, 4.987, 6.087, 3.316, 4.64, 4.907, 3.703], // Sum
    [-4.728, -5.201, -4.401, -4.043, -2.276, -4.823, -2.26, -2.321], // Rounds
    [-0.049, -0.241, 1.984, 0.647, 4.066, 2.136, -0.379, 3.997], // OneRound
    [1.654, -0.355, 0.512, 0.166, 0.117, -0.242, -0.281, 0.505], // TwoRounds
    [0.055, -1.274, -0.113, -2.351, -2.542, 0.365, -0.635, 3.639], // Worth
    [0.948, -1.35, -0.638, -0.891, 0.349, 0.243, -0.193, -1.703], // Mine
    [-6.12, -1.759, -4.136, 0.521, -1.554, -0.887, -0.289, -2.991], // MineRounds
    [3.118, -0.794, -0.312, -0.919, 0.048, 0.754, -0.05, -2.366], // Unmatched
    [17.339, 11.892, 14.294, 6.245, 6.507, 12.742, 4.437, 11.264], // Finish
    [-3.671, -2.602, -3.246, -2.003, 2.257, -1.274, -2.091, -8.533], // Danger
    [0.0, 0.0, 0.0, 3.926, -0.824, 0.0, 0.0, 6.262], // Ally
    [0.0, 0.0, 0.0, 2.217, 4.251, 0.0, 0.0, 3.166], // Hope
    [0.0, 0.0, 2.245, 2.725, 1.204, 4.281, 1.104, 2.775], // Feed
    [-3.034, -5.189, -1.572, -0.981, -2.924, 1.742, -1.799, -5.049], // Bomb
    [-1.265, 2.686, 0.582, 3.737, -2.749, 3.422, 2.787, -4.771], // BombUrgency
    [-2.726, 0.803, -1.949, -0.65, -1.227, 0.376, 0.694, -0.337], // BombLast
    [-2.289, -2.284, -0.371, -4.963, -1.117, -2.425, -2.531, -1.909], // UrgencySum
    [-0.466, -2.841, -3.204, -3.513, -2.212, -0.297, -0.591, 2.132], // UrgencyRounds
    [6.087, 6.282, 0.604, 5.566, 1.046, 3.319, 4.291, 6.972], // UrgencyWorth
    [0.0, -9.395, 0.0, -8.411, -3.967, 0.0, -7.074, -0.697], // UrgencyPass
    [-0.968, 2.108, 6.149, 4.796, 3.532, 6.19, 4.172, 3.276], // UrgencyMine
    [5.353, 5.712, 2.351, 4.056, 1.502, 4.627, 3.164, 0.143], // StageSum
    [-3.229, -1.866, -2.177, -2.463, -1.168, -2.853, -1.237, -0.303], // StageRounds
    [-3.446, -0.391, 0.489, -1.575, -3.533, -1.37, -0.88, 6.096], // StageWorth
    [-0.001, -0.265, -0.291, -0.363, 0.493, 0.768, -0.194, 0.336], // StageMine
    [0.0, -1.075, 0.0, -4.003, -0.11, 0.0, -2.657, 1.23], // StagePass
    [0.0, 0.0, 0.0, -7.215, 2.34, 0.0, -3.618, 2.602], // PartnerPass
    [0.0, 0.0, -0.106, 2.247, -2.776, -2.195, -1.126, -1.649], // PartnerMine
    [0.0, 0.0, 1.376, -0.602, -4.862, -1.42, -0.359, -1.392], // PartnerWorth
    [0.294, 0.816, 0.75, 3.367, -0.572, 1.184, 2.336, -2.681], // Cards
    [-2.555, 8.818, 1.952, 5.522, 0.831, -3.404, 5.924, -1.056], // Single
    [3.274, 0.78, -2.488, 2.431, 1.609, 2.224, 3.505, 1.644], // Pair
    [-2.864, 3.208, -2.478, -0.169, -1.342, 0.04, 0.844, -3.586], // Trio
    [1.176, 1.118, 2.766, 4.532, -0.635, 1.099, 2.7, -0.821], // Straight
    [0.758, -0.53, 0.894, 2.788, -1.504, 0.12, 1.793, 0.524], // PairChain
    [1.757, 1.084, 2.521, -0.657, -0.763, 2.069, 0.724, -0.688], // Plane
    [0.051, 1.635, -4.445, -1.201, 1.95, -0.975, 0.646, -0.309], // FourWithTwo
    [-3.194, -6.358, -4.032, -4.824, -1.681, -3.127, -2.18, -5.164], // BrokenQuads
    [-1.741, 8.84, -1.024, 4.154, -0.116, -1.141, 2.631, 0.132], // BrokenRocket
    [-3.561, -3.849, -2.235, -3.036, -2.12, -2.664, -0.834, -2.076], // HighKickers
    [2.566, 1.622, 0.617, 0.708, 0.933, 2.454, 0.889, 6.715], // Controls
    [-1.132, 4.442, -0.832, 0.688, 0.69, -0.381, 2.914, 2.754], // SingleRank
    [-2.189, -0.582, -1.303, 0.606, -0.061, 0.248, 1.69, 0.012], // PairRank
    [0.079, -1.327, -1.275, -1.532, 0.009, 0.804, -0.735, 2.179], // SingleSquare
    [-2.406, -0.532, 0.588, -0.82, -0.394, -1.219, -0.46, -1.309], // PairSquare
    [0.0, -0.197, 0.0, -6.314, 2.219, 0.0, -0.912, 7.288], // PassWorth
    [-0.828, -1.343, -1.943, -1.08, 0.571, -0.044, -0.787, 0.294], // LowSingles
    [2.103, -0.66, -0.405, -0.031, 0.221, 2.009, 0.152, 1.953], // Tops
    [1.969, 1.766, 2.93, 1.831, 1.187, 0.377, 0.99, 3.637], // BombsLeft
];
// end
