//! What turns an order around.

pub struct Reverse<T>(pub T);
