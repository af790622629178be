//! What vectors are gone through with.

pub use std::Iter as IntoIter;
pub use std::Iter as Drain;
pub use std::Vec;
