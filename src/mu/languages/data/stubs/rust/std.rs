//! The prelude, and the classes of the types that brackets denote: `slice`, `tuple`.

/// Methods that `derive` may add, and those of blanket implementations.
pub trait Derived {
    fn clone(&self) -> Self;
    fn clone_from(&mut self, source: &Self);
    fn default() -> Self;
    fn to_owned(&self) -> Self;
    fn to_string(&self) -> String;
    fn eq(&self, other: &Self) -> bool;
    fn ne(&self, other: &Self) -> bool;
    fn cmp(&self, other: &Self) -> Ordering;
    fn partial_cmp(&self, other: &Self) -> Option<Ordering>;
    fn max(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn hash<H>(&self, state: &mut H);
    fn fmt(&self, f: &mut Formatter) -> Result<(), Error>;
}

pub fn drop<T>(value: T);

pub trait Try<T> {}

pub enum Option<T> { Some(T), None }

impl<T> Try<T> for Option<T> {}

impl<T> Option<T> {
    pub fn unwrap(self) -> T;
    pub fn expect(self, msg: &str) -> T;
    pub fn unwrap_or(self, default: T) -> T;
    pub fn unwrap_or_else(self, f: fn() -> T) -> T;
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
    pub fn get_or_insert_with(&mut self, f: fn() -> T) -> T;
    pub fn filter(self, predicate: fn(&T) -> bool) -> Option<T>;
    pub fn or(self, other: Option<T>) -> Option<T>;
    pub fn or_else(self, f: fn() -> Option<T>) -> Option<T>;
    pub fn map<U>(self, f: fn(T) -> U) -> Option<U>;
    pub fn map_or<U>(self, default: U, f: fn(T) -> U) -> U;
    pub fn map_or_else<U>(self, default: fn() -> U, f: fn(T) -> U) -> U;
    pub fn and_then<U>(self, f: fn(T) -> Option<U>) -> Option<U>;
    pub fn is_some_and(self, f: fn(T) -> bool) -> bool;
    pub fn is_none_or(self, f: fn(T) -> bool) -> bool;
    pub fn inspect(self, f: fn(&T)) -> Option<T>;
    pub fn ok_or<E>(self, err: E) -> Result<T, E>;
    pub fn ok_or_else<E>(self, err: fn() -> E) -> Result<T, E>;
    pub fn is_some(&self) -> bool;
    pub fn is_none(&self) -> bool;
    pub fn iter(&self) -> Iter<T>;
    pub fn __more(&self);
}

pub enum Result<T, E> { Ok(T), Err(E) }

impl<T, E> Try<T> for Result<T, E> {}

impl<T, E> Result<T, E> {
    pub fn unwrap(self) -> T;
    pub fn expect(self, msg: &str) -> T;
    pub fn unwrap_or(self, default: T) -> T;
    pub fn unwrap_or_else(self, op: fn(E) -> T) -> T;
    pub fn unwrap_or_default(self) -> T;
    pub fn unwrap_err(self) -> E;
    pub fn expect_err(self, msg: &str) -> E;
    pub fn ok(self) -> Option<T>;
    pub fn err(self) -> Option<E>;
    pub fn as_ref(&self) -> Result<T, E>;
    pub fn as_mut(&mut self) -> Result<T, E>;
    pub fn map<U>(self, op: fn(T) -> U) -> Result<U, E>;
    pub fn map_or<U>(self, default: U, f: fn(T) -> U) -> U;
    pub fn map_or_else<U>(self, default: fn(E) -> U, f: fn(T) -> U) -> U;
    pub fn map_err<F>(self, op: fn(E) -> F) -> Result<T, F>;
    pub fn and_then<U>(self, op: fn(T) -> Result<U, E>) -> Result<U, E>;
    pub fn or_else<F>(self, op: fn(E) -> Result<T, F>) -> Result<T, F>;
    pub fn is_ok_and(self, f: fn(T) -> bool) -> bool;
    pub fn is_err_and(self, f: fn(E) -> bool) -> bool;
    pub fn inspect(self, f: fn(&T)) -> Result<T, E>;
    pub fn inspect_err(self, f: fn(&E)) -> Result<T, E>;
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
    pub fn sort_by(&mut self, compare: fn(&T, &T) -> Ordering);
    pub fn sort_by_key<K>(&mut self, f: fn(&T) -> K);
    pub fn sort_unstable_by(&mut self, compare: fn(&T, &T) -> Ordering);
    pub fn sort_unstable_by_key<K>(&mut self, f: fn(&T) -> K);
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
    pub fn retain(&mut self, f: fn(&T) -> bool);
    pub fn retain_mut(&mut self, f: fn(&mut T) -> bool);
    pub fn sort_by(&mut self, compare: fn(&T, &T) -> Ordering);
    pub fn sort_by_key<K>(&mut self, f: fn(&T) -> K);
    pub fn sort_unstable_by(&mut self, compare: fn(&T, &T) -> Ordering);
    pub fn sort_unstable_by_key<K>(&mut self, f: fn(&T) -> K);
    pub fn clone(&self) -> Vec<T>;
    pub fn len(&self) -> usize;
    pub fn is_empty(&self) -> bool;
    pub fn __more(&self);
}

pub fn vec<T>(first: T, second: T, third: T, fourth: T) -> Vec<T>;  // the macro

/// An iterator; the parameter is its associated type.
pub trait Iterator<Item> {
    fn next(&mut self) -> Option<Item>;
    fn by_ref(&mut self) -> Self;
    fn cloned(self) -> Iter<Item>;
    fn copied(self) -> Iter<Item>;
    fn rev(self) -> Iter<Item>;
    fn skip(self, n: usize) -> Iter<Item>;
    fn take(self, n: usize) -> Iter<Item>;
    fn step_by(self, step: usize) -> Iter<Item>;
    fn map<U>(self, f: fn(Item) -> U) -> Iter<U>;
    fn filter(self, predicate: fn(&Item) -> bool) -> Iter<Item>;
    fn filter_map<U>(self, f: fn(Item) -> Option<U>) -> Iter<U>;
    fn flat_map<U>(self, f: fn(Item) -> Iter<U>) -> Iter<U>;
    fn map_while<U>(self, predicate: fn(Item) -> Option<U>) -> Iter<U>;
    fn take_while(self, predicate: fn(&Item) -> bool) -> Iter<Item>;
    fn skip_while(self, predicate: fn(&Item) -> bool) -> Iter<Item>;
    fn inspect(self, f: fn(&Item)) -> Iter<Item>;
    fn for_each(self, f: fn(Item));
    fn try_for_each<R>(&mut self, f: fn(Item) -> R) -> R;
    fn fold<B>(self, init: B, f: fn(B, Item) -> B) -> B;
    fn reduce(self, f: fn(Item, Item) -> Item) -> Option<Item>;
    fn any(&mut self, f: fn(Item) -> bool) -> bool;
    fn all(&mut self, f: fn(Item) -> bool) -> bool;
    fn position(&mut self, predicate: fn(Item) -> bool) -> Option<usize>;
    fn find_map<B>(&mut self, f: fn(Item) -> Option<B>) -> Option<B>;
    fn max_by(self, compare: fn(&Item, &Item) -> Ordering) -> Option<Item>;
    fn min_by(self, compare: fn(&Item, &Item) -> Ordering) -> Option<Item>;
    fn enumerate(self) -> Iter<(usize, Item)>;
    fn chain<U>(self, other: U) -> Iter<Item>;
    fn zip<U>(self, other: Vec<U>) -> Iter<(Item, U)>;
    fn partition(self, f: fn(&Item) -> bool) -> (Vec<Item>, Vec<Item>);
    fn cycle(self) -> Iter<Item>;
    fn fuse(self) -> Iter<Item>;
    fn next_back(&mut self) -> Option<Item>;
    fn rposition(&mut self, predicate: fn(Item) -> bool) -> Option<usize>;
    fn next_if(&mut self, func: fn(&Item) -> bool) -> Option<Item>;
    fn scan<S, B>(self, initial_state: S, f: fn(&mut S, Item) -> Option<B>) -> Iter<B>;
    fn try_fold<B, R>(&mut self, init: B, f: fn(B, Item) -> R) -> R;
    fn peekable(self) -> Iter<Item>;
    fn peek(&mut self) -> Option<Item>;
    fn last(self) -> Option<Item>;
    fn nth(&mut self, n: usize) -> Option<Item>;
    fn find(&mut self, predicate: fn(&Item) -> bool) -> Option<Item>;
    fn max_by_key<K>(self, f: fn(&Item) -> K) -> Option<Item>;
    fn min_by_key<K>(self, f: fn(&Item) -> K) -> Option<Item>;
    fn into_iter(self) -> Self;
    fn __more(&self);
}

pub trait IntoIterator<Item> {
    fn into_iter(self) -> Iter<Item>;
    fn __more(&self);
}

pub struct Iter<T> {}

impl<T> Iterator<T> for Iter<T> {}

pub struct range<T> {}

impl<T> Iterator<T> for range<T> {}

pub struct tuple {}
pub struct str {}

impl str {
    pub fn chars(&self) -> Iter<char>;
    pub fn char_indices(&self) -> Iter<(usize, char)>;
    pub fn bytes(&self) -> Iter<u8>;
    pub fn lines(&self) -> Iter<str>;
    pub fn split<P>(&self, pattern: P) -> Iter<str>;
    pub fn splitn<P>(&self, n: usize, pattern: P) -> Iter<str>;
    pub fn rsplit<P>(&self, pattern: P) -> Iter<str>;
    pub fn split_terminator<P>(&self, pattern: P) -> Iter<str>;
    pub fn split_whitespace(&self) -> Iter<str>;
    pub fn trim(&self) -> str;
    pub fn trim_start(&self) -> str;
    pub fn trim_end(&self) -> str;
    pub fn strip_prefix<P>(&self, prefix: P) -> Option<str>;
    pub fn strip_suffix<P>(&self, suffix: P) -> Option<str>;
    pub fn split_once<P>(&self, delimiter: P) -> Option<(str, str)>;
    pub fn rsplit_once<P>(&self, delimiter: P) -> Option<(str, str)>;
    pub fn to_string(&self) -> String;
    pub fn to_owned(&self) -> String;
    pub fn __more(&self);
}

pub struct String {}

impl String {
    pub fn new() -> String;
    pub fn chars(&self) -> Iter<char>;
    pub fn char_indices(&self) -> Iter<(usize, char)>;
    pub fn bytes(&self) -> Iter<u8>;
    pub fn lines(&self) -> Iter<str>;
    pub fn split<P>(&self, pattern: P) -> Iter<str>;
    pub fn splitn<P>(&self, n: usize, pattern: P) -> Iter<str>;
    pub fn split_whitespace(&self) -> Iter<str>;
    pub fn as_str(&self) -> str;
    pub fn trim(&self) -> str;
    pub fn split_once<P>(&self, delimiter: P) -> Option<(str, str)>;
    pub fn __more(&self);
}
