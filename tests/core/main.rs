//! The game core and the strategies, as a library.

mod groups;
