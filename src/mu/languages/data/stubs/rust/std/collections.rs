//! Collections.

use std::Iter;

pub struct HashMap<K, V> {}

impl<K, V> HashMap<K, V> {
    pub fn entry(&mut self, k: K) -> Entry<K, V>;
    pub fn get_key_value(&self, k: &K) -> Option<(K, V)>;
    pub fn remove_entry(&mut self, k: &K) -> Option<(K, V)>;
    pub fn into_keys(self) -> Iter<K>;
    pub fn drain(&mut self) -> Iter<(K, V)>;
    pub fn retain(&mut self, f: fn(&K, &mut V) -> bool);
    pub fn new() -> HashMap<K, V>;
    pub fn with_capacity(capacity: usize) -> HashMap<K, V>;
    pub fn get(&self, k: &K) -> Option<V>;
    pub fn get_mut(&mut self, k: &K) -> Option<V>;
    pub fn insert(&mut self, k: K, v: V) -> Option<V>;
    pub fn remove(&mut self, k: &K) -> Option<V>;
    pub fn values(&self) -> Iter<V>;
    pub fn values_mut(&mut self) -> Iter<V>;
    pub fn into_values(self) -> Iter<V>;
    pub fn keys(&self) -> Iter<K>;
    pub fn index(&self, k: &K) -> V;
    pub fn iter(&self) -> Iter<(K, V)>;
    pub fn iter_mut(&mut self) -> Iter<(K, V)>;
    pub fn into_iter(self) -> Iter<(K, V)>;
    pub fn __more(&self);
}

pub struct BTreeMap<K, V> {}

impl<K, V> BTreeMap<K, V> {
    pub fn entry(&mut self, k: K) -> Entry<K, V>;
    pub fn get_key_value(&self, k: &K) -> Option<(K, V)>;
    pub fn remove_entry(&mut self, k: &K) -> Option<(K, V)>;
    pub fn into_keys(self) -> Iter<K>;
    pub fn drain(&mut self) -> Iter<(K, V)>;
    pub fn retain(&mut self, f: fn(&K, &mut V) -> bool);
    pub fn new() -> BTreeMap<K, V>;
    pub fn get(&self, k: &K) -> Option<V>;
    pub fn get_mut(&mut self, k: &K) -> Option<V>;
    pub fn insert(&mut self, k: K, v: V) -> Option<V>;
    pub fn remove(&mut self, k: &K) -> Option<V>;
    pub fn values(&self) -> Iter<V>;
    pub fn values_mut(&mut self) -> Iter<V>;
    pub fn keys(&self) -> Iter<K>;
    pub fn index(&self, k: &K) -> V;
    pub fn iter(&self) -> Iter<(K, V)>;
    pub fn iter_mut(&mut self) -> Iter<(K, V)>;
    pub fn into_iter(self) -> Iter<(K, V)>;
    pub fn __more(&self);
}

pub struct Entry<K, V> {}

impl<K, V> Entry<K, V> {
    pub fn or_insert(self, default: V) -> V;
    pub fn or_insert_with(self, default: fn() -> V) -> V;
    pub fn or_insert_with_key(self, default: fn(&K) -> V) -> V;
    pub fn or_default(self) -> V;
    pub fn and_modify(self, f: fn(&mut V)) -> Entry<K, V>;
    pub fn __more(&self);
}

pub struct VecDeque<T> {}

impl<T> VecDeque<T> {
    pub fn new() -> VecDeque<T>;
    pub fn with_capacity(capacity: usize) -> VecDeque<T>;
    pub fn push_back(&mut self, value: T);
    pub fn push_front(&mut self, value: T);
    pub fn pop_back(&mut self) -> Option<T>;
    pub fn pop_front(&mut self) -> Option<T>;
    pub fn front(&self) -> Option<T>;
    pub fn front_mut(&mut self) -> Option<T>;
    pub fn back(&self) -> Option<T>;
    pub fn back_mut(&mut self) -> Option<T>;
    pub fn get(&self, index: usize) -> Option<T>;
    pub fn get_mut(&mut self, index: usize) -> Option<T>;
    pub fn index(&self, index: usize) -> T;
    pub fn remove(&mut self, index: usize) -> Option<T>;
    pub fn drain<R>(&mut self, range: R) -> Iter<T>;
    pub fn retain(&mut self, f: fn(&T) -> bool);
    pub fn iter_mut(&mut self) -> Iter<T>;
    pub fn iter(&self) -> Iter<T>;
    pub fn into_iter(self) -> Iter<T>;
    pub fn __more(&self);
}

pub struct BinaryHeap<T> {}

impl<T> BinaryHeap<T> {
    pub fn new() -> BinaryHeap<T>;
    pub fn push(&mut self, value: T);
    pub fn pop(&mut self) -> Option<T>;
    pub fn peek(&self) -> Option<T>;
    pub fn into_sorted_vec(self) -> Vec<T>;
    pub fn drain(&mut self) -> Iter<T>;
    pub fn iter(&self) -> Iter<T>;
    pub fn into_iter(self) -> Iter<T>;
    pub fn __more(&self);
}

pub struct HashSet<T> {}

impl<T> HashSet<T> {
    pub fn new() -> HashSet<T>;
    pub fn insert(&mut self, value: T) -> bool;
    pub fn get(&self, value: &T) -> Option<T>;
    pub fn take(&mut self, value: &T) -> Option<T>;
    pub fn retain(&mut self, f: fn(&T) -> bool);
    pub fn drain(&mut self) -> Iter<T>;
    pub fn iter(&self) -> Iter<T>;
    pub fn into_iter(self) -> Iter<T>;
    pub fn __more(&self);
}

pub struct BTreeSet<T> {}

impl<T> BTreeSet<T> {
    pub fn new() -> BTreeSet<T>;
    pub fn insert(&mut self, value: T) -> bool;
    pub fn get(&self, value: &T) -> Option<T>;
    pub fn take(&mut self, value: &T) -> Option<T>;
    pub fn retain(&mut self, f: fn(&T) -> bool);
    pub fn first(&self) -> Option<T>;
    pub fn last(&self) -> Option<T>;
    pub fn iter(&self) -> Iter<T>;
    pub fn into_iter(self) -> Iter<T>;
    pub fn __more(&self);
}
