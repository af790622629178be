//! Maps.

use crate::Option;

pub struct HashMap<K, V> {}

impl<K, V> HashMap<K, V> {
    pub fn new() -> HashMap<K, V>;
    pub fn with_capacity(capacity: usize) -> HashMap<K, V>;
    pub fn get(&self, k: &K) -> std::Option<V>;
    pub fn get_mut(&mut self, k: &K) -> std::Option<V>;
    pub fn insert(&mut self, k: K, v: V) -> std::Option<V>;
    pub fn remove(&mut self, k: &K) -> std::Option<V>;
    pub fn values(&self) -> std::Iter<V>;
    pub fn values_mut(&mut self) -> std::Iter<V>;
    pub fn into_values(self) -> std::Iter<V>;
    pub fn keys(&self) -> std::Iter<K>;
    pub fn index(&self, k: &K) -> V;
    pub fn iter(&self) -> std::Iter<(K, V)>;
    pub fn iter_mut(&mut self) -> std::Iter<(K, V)>;
    pub fn into_iter(self) -> std::Iter<(K, V)>;
    pub fn __more(&self);
}

pub struct BTreeMap<K, V> {}

impl<K, V> BTreeMap<K, V> {
    pub fn new() -> BTreeMap<K, V>;
    pub fn get(&self, k: &K) -> std::Option<V>;
    pub fn get_mut(&mut self, k: &K) -> std::Option<V>;
    pub fn insert(&mut self, k: K, v: V) -> std::Option<V>;
    pub fn remove(&mut self, k: &K) -> std::Option<V>;
    pub fn values(&self) -> std::Iter<V>;
    pub fn values_mut(&mut self) -> std::Iter<V>;
    pub fn keys(&self) -> std::Iter<K>;
    pub fn index(&self, k: &K) -> V;
    pub fn iter(&self) -> std::Iter<(K, V)>;
    pub fn iter_mut(&mut self) -> std::Iter<(K, V)>;
    pub fn into_iter(self) -> std::Iter<(K, V)>;
    pub fn __more(&self);
}
