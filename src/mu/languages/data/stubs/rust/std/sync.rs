//! Locks: a guard has the type of the content.

pub struct Mutex<T> {}

impl<T> Mutex<T> {
    pub fn new(value: T) -> Mutex<T>;
    pub fn lock(&self) -> Result<T, PoisonError>;
    pub fn try_lock(&self) -> Result<T, PoisonError>;
    pub fn get_mut(&mut self) -> Result<T, PoisonError>;
    pub fn into_inner(self) -> Result<T, PoisonError>;
    pub fn __more(&self);
}

pub struct RwLock<T> {}

impl<T> RwLock<T> {
    pub fn new(value: T) -> RwLock<T>;
    pub fn read(&self) -> Result<T, PoisonError>;
    pub fn write(&self) -> Result<T, PoisonError>;
    pub fn try_read(&self) -> Result<T, PoisonError>;
    pub fn try_write(&self) -> Result<T, PoisonError>;
    pub fn __more(&self);
}

pub struct OnceLock<T> {}

impl<T> OnceLock<T> {
    pub fn new() -> OnceLock<T>;
    pub fn get(&self) -> Option<T>;
    pub fn get_or_init(&self, f: fn() -> T) -> T;
    pub fn __more(&self);
}

pub struct PoisonError {}

impl PoisonError { pub fn __more(&self); }

pub struct Weak<T> {}

impl<T> Weak<T> {
    pub fn new() -> Weak<T>;
    pub fn upgrade(&self) -> Option<T>;
    pub fn clone(&self) -> Weak<T>;
    pub fn __more(&self);
}
