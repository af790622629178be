//! Channels: a receiver has the type of its messages.

use std::Iter;

pub struct Receiver<T> {}

impl<T> Receiver<T> {
    pub fn recv(&self) -> Result<T, RecvError>;
    pub fn try_recv(&self) -> Result<T, RecvError>;
    pub fn iter(&self) -> Iter<T>;
    pub fn try_iter(&self) -> Iter<T>;
    pub fn into_iter(self) -> Iter<T>;
    pub fn __more(&self);
}

pub struct RecvError {}

impl RecvError { pub fn __more(&self); }
