//! Iterators over slices.

pub use std::Iter;
pub use std::Iter as IterMut;
