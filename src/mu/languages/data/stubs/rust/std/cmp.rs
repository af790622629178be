//! Reversed order.

pub struct Reverse<T>(pub T);
