//! Maps.

use std::Iter;

pub struct HashMap<K, V> {}

impl<K, V> HashMap<K, V> {
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
