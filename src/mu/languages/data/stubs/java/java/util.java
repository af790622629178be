// What java.util has that types flow through.
package java.util;

public interface Iterator<E> {
    boolean hasNext();
    E next();
}

public interface Collection<E> extends Iterable<E> {
    boolean add(E element);
    boolean contains(Object element);
    boolean isEmpty();
    boolean remove(Object element);
    int size();
}

public interface List<E> extends Collection<E> {
    E get(int index);
    E set(int index, E element);
    E getFirst();
    E getLast();
    List<E> subList(int from, int to);
}

public interface Set<E> extends Collection<E> {
}

public interface Queue<E> extends Collection<E> {
    E peek();
    E poll();
}

public interface Map<K, V> {
    V get(Object key);
    V getOrDefault(Object key, V other);
    V put(K key, V value);
    V remove(Object key);
    boolean containsKey(Object key);
    boolean isEmpty();
    int size();
    Set<K> keySet();
    Collection<V> values();
    Set<Map.Entry<K, V>> entrySet();

    interface Entry<K, V> {
        K getKey();
        V getValue();
    }
}

public class ArrayList<E> implements List<E> {
}

public class LinkedList<E> implements List<E>, Queue<E> {
}

public class HashSet<E> implements Set<E> {
}

public class HashMap<K, V> implements Map<K, V> {
}

public class LinkedHashMap<K, V> extends HashMap<K, V> {
}

public class TreeMap<K, V> implements Map<K, V> {
}

public final class Optional<T> {
    public T get();
    public T orElse(T other);
    public boolean isPresent();
}
