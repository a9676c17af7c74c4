//! The weights of the features.

use super::features::{CONTEXTS, FEATURES, Feature};

/// One row of weights for each context: the landlord's lead and follow; of the peasant after and then of the
/// one before the landlord, the lead, the follow of the landlord and the follow of the partner.
#[derive(Clone, Debug)]
pub(crate) struct Weights(pub(crate) [[f32; FEATURES]; CONTEXTS]);

impl Default for Weights {
    fn default() -> Weights {
        let mut rows = [[0.0; FEATURES]; CONTEXTS];
        for row in &mut rows {
            row[Feature::Sum as usize] = 2.0;
            row[Feature::Rounds as usize] = -1.4;
        }
        Weights(rows)
    }
}
