//! The iterator traits, re-exported.

pub use std::{IntoIterator, Iterator};
