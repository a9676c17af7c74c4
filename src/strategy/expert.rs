//! The expert: three small networks, one a role, trained by self-play, that score every legal play.

pub(crate) mod brain;
pub(crate) mod facts;
pub(crate) mod features;
pub(crate) mod kernel;
pub(crate) mod network;
pub(crate) mod rounds;
pub(crate) mod weights;
