//! What goes through things, by its other path.

pub use std::{IntoIterator, Iterator};
