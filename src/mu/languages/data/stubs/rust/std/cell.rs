//! Cells: a borrow has the type of the content.

pub struct Cell<T> {}

impl<T> Cell<T> {
    pub fn new(value: T) -> Cell<T>;
    pub fn get(&self) -> T;
    pub fn set(&self, value: T);
    pub fn take(&self) -> T;
    pub fn replace(&self, value: T) -> T;
    pub fn into_inner(self) -> T;
    pub fn __more(&self);
}

pub struct RefCell<T> {}

impl<T> RefCell<T> {
    pub fn new(value: T) -> RefCell<T>;
    pub fn borrow(&self) -> T;
    pub fn borrow_mut(&self) -> T;
    pub fn get_mut(&mut self) -> T;
    pub fn replace(&self, value: T) -> T;
    pub fn take(&self) -> T;
    pub fn into_inner(self) -> T;
    pub fn __more(&self);
}

pub struct OnceCell<T> {}

impl<T> OnceCell<T> {
    pub fn new() -> OnceCell<T>;
    pub fn get(&self) -> Option<T>;
    pub fn get_or_init(&self, f: fn() -> T) -> T;
    pub fn __more(&self);
}
