//! Weak pointers.

pub struct Weak<T> {}

impl<T> Weak<T> {
    pub fn new() -> Weak<T>;
    pub fn upgrade(&self) -> Option<T>;
    pub fn clone(&self) -> Weak<T>;
    pub fn __more(&self);
}
