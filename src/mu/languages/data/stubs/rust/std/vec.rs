//! Iterators over vectors.

pub use std::Iter as IntoIter;
pub use std::Iter as Drain;
pub use std::Vec;
