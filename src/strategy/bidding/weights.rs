//! Not fitted yet.

use super::{BidThresholds, DoubleThresholds, Model, Models};

pub(super) const FITTED: Models = Models {
    bid: Model::EMPTY,
    double: [Model::EMPTY; 3],
    bid_thresholds: BidThresholds { points: [0.0; 3], call: 0.0, rob: 0.0 },
    double_thresholds: DoubleThresholds { peasant: 0.0, landlord: 0.0 },
};
