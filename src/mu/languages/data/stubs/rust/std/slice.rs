//! What slices are gone through with.

pub use std::Iter;
pub use std::Iter as IterMut;
