//! What every file knows, and the types that are written with brackets: `slice`, `tuple`.

pub trait Try<T> {}

pub enum Option<T> { Some, None }

impl<T> Try<T> for Option<T> {}

impl<T> Option<T> {
    pub fn unwrap(self) -> T;
    pub fn expect(self, msg: &str) -> T;
    pub fn unwrap_or(self, default: T) -> T;
    pub fn unwrap_or_else<F>(self, f: F) -> T;
    pub fn unwrap_or_default(self) -> T;
    pub fn as_ref(&self) -> Option<T>;
    pub fn as_mut(&mut self) -> Option<T>;
    pub fn as_deref(&self) -> Option<T>;
    pub fn as_deref_mut(&mut self) -> Option<T>;
    pub fn cloned(self) -> Option<T>;
    pub fn copied(self) -> Option<T>;
    pub fn take(&mut self) -> Option<T>;
    pub fn replace(&mut self, value: T) -> Option<T>;
    pub fn insert(&mut self, value: T) -> T;
    pub fn get_or_insert(&mut self, value: T) -> T;
    pub fn get_or_insert_with<F>(&mut self, f: F) -> T;
    pub fn filter<P>(self, predicate: P) -> Option<T>;
    pub fn or(self, other: Option<T>) -> Option<T>;
    pub fn or_else<F>(self, f: F) -> Option<T>;
    pub fn ok_or<E>(self, err: E) -> Result<T, E>;
    pub fn ok_or_else<E, F>(self, err: F) -> Result<T, E>;
    pub fn is_some(&self) -> bool;
    pub fn is_none(&self) -> bool;
    pub fn iter(&self) -> Iter<T>;
    pub fn __more(&self);
}

pub enum Result<T, E> { Ok, Err }

impl<T, E> Try<T> for Result<T, E> {}

impl<T, E> Result<T, E> {
    pub fn unwrap(self) -> T;
    pub fn expect(self, msg: &str) -> T;
    pub fn unwrap_or(self, default: T) -> T;
    pub fn unwrap_or_else<F>(self, f: F) -> T;
    pub fn unwrap_or_default(self) -> T;
    pub fn unwrap_err(self) -> E;
    pub fn expect_err(self, msg: &str) -> E;
    pub fn ok(self) -> Option<T>;
    pub fn err(self) -> Option<E>;
    pub fn as_ref(&self) -> Result<T, E>;
    pub fn as_mut(&mut self) -> Result<T, E>;
    pub fn map_err<F>(self, op: F) -> Result<T, F>;
    pub fn is_ok(&self) -> bool;
    pub fn is_err(&self) -> bool;
    pub fn __more(&self);
}

pub struct slice<T> {}

impl<T> slice<T> {
    pub fn iter(&self) -> Iter<T>;
    pub fn iter_mut(&mut self) -> Iter<T>;
    pub fn into_iter(self) -> Iter<T>;
    pub fn index(&self, index: usize) -> T;
    pub fn get(&self, index: usize) -> Option<T>;
    pub fn get_mut(&mut self, index: usize) -> Option<T>;
    pub fn first(&self) -> Option<T>;
    pub fn first_mut(&mut self) -> Option<T>;
    pub fn last(&self) -> Option<T>;
    pub fn last_mut(&mut self) -> Option<T>;
    pub fn to_vec(&self) -> Vec<T>;
    pub fn __more(&self);
}

pub struct Vec<T> {}

impl<T> Vec<T> {
    pub fn new() -> Vec<T>;
    pub fn with_capacity(capacity: usize) -> Vec<T>;
    pub fn push(&mut self, value: T);
    pub fn pop(&mut self) -> Option<T>;
    pub fn insert(&mut self, index: usize, element: T);
    pub fn remove(&mut self, index: usize) -> T;
    pub fn swap_remove(&mut self, index: usize) -> T;
    pub fn drain<R>(&mut self, range: R) -> Iter<T>;
    pub fn iter(&self) -> Iter<T>;
    pub fn iter_mut(&mut self) -> Iter<T>;
    pub fn into_iter(self) -> Iter<T>;
    pub fn index(&self, index: usize) -> T;
    pub fn get(&self, index: usize) -> Option<T>;
    pub fn get_mut(&mut self, index: usize) -> Option<T>;
    pub fn first(&self) -> Option<T>;
    pub fn first_mut(&mut self) -> Option<T>;
    pub fn last(&self) -> Option<T>;
    pub fn last_mut(&mut self) -> Option<T>;
    pub fn as_slice(&self) -> Vec<T>;
    pub fn clone(&self) -> Vec<T>;
    pub fn len(&self) -> usize;
    pub fn is_empty(&self) -> bool;
    pub fn __more(&self);
}

pub fn vec<T>(first: T, second: T, third: T, fourth: T) -> Vec<T>;  // the macro of that name

pub struct Iter<T> {}

impl<T> Iter<T> {
    pub fn next(&mut self) -> Option<T>;
    pub fn iter(&self) -> Elements<T>;
    pub fn into_iter(self) -> Iter<T>;
    pub fn by_ref(&mut self) -> Iter<T>;
    pub fn cloned(self) -> Iter<T>;
    pub fn copied(self) -> Iter<T>;
    pub fn rev(self) -> Iter<T>;
    pub fn skip(self, n: usize) -> Iter<T>;
    pub fn take(self, n: usize) -> Iter<T>;
    pub fn step_by(self, step: usize) -> Iter<T>;
    pub fn filter<P>(self, predicate: P) -> Iter<T>;
    pub fn chain<U>(self, other: U) -> Iter<T>;
    pub fn peekable(self) -> Iter<T>;
    pub fn peek(&mut self) -> Option<T>;
    pub fn last(self) -> Option<T>;
    pub fn nth(&mut self, n: usize) -> Option<T>;
    pub fn find<P>(&mut self, predicate: P) -> Option<T>;
    pub fn max_by_key<F>(self, f: F) -> Option<T>;
    pub fn min_by_key<F>(self, f: F) -> Option<T>;
    pub fn __more(&self);
}

pub struct Elements<T> {}

impl<T> Elements<T> {
    pub fn next(&mut self) -> T;
}

pub struct tuple {}
pub struct str {}
impl str { pub fn __more(&self); }
pub struct String {}
impl String { pub fn __more(&self); }
