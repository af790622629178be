//! Formatting.

pub trait Display {
    fn to_string(&self) -> String;
    fn __more(&self);
}

pub trait Debug {}
