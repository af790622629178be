// Members of java.util that propagate types.
package java.util;

import java.util.function.*;
import java.util.stream.*;

public interface Iterator<E> {
    boolean hasNext();
    E next();
    default void remove() {}
    default void forEachRemaining(Consumer<? super E> action) {}
}

public interface ListIterator<E> extends Iterator<E> {
    boolean hasPrevious();
    E previous();
    void add(E element);
    void set(E element);
    int nextIndex();
    int previousIndex();
}

public interface Enumeration<E> {
    boolean hasMoreElements();
    E nextElement();
    default Iterator<E> asIterator() {}
}

public interface Spliterator<T> {
    boolean tryAdvance(Consumer<? super T> action);
    Object __more();
}

public final class Spliterators {
    public static <T> Spliterator<T> spliteratorUnknownSize(Iterator<? extends T> source, int traits) {}
    public Object __more() {}
}

public interface Comparator<T> {
    int compare(T first, T second);
    default Comparator<T> reversed() {}
    default Comparator<T> thenComparing(Comparator<? super T> other) {}
    default Comparator<T> thenComparing(Function<? super T, ?> key) {}
    default Comparator<T> thenComparingInt(ToIntFunction<? super T> key) {}
    default Comparator<T> thenComparingLong(ToLongFunction<? super T> key) {}
    default Comparator<T> thenComparingDouble(ToDoubleFunction<? super T> key) {}
    static <T, U> Comparator<T> comparing(Function<? super T, ? extends U> key) {}
    static <T, U> Comparator<T> comparing(
        Function<? super T, ? extends U> key, Comparator<? super U> order) {}
    static <T> Comparator<T> comparingInt(ToIntFunction<? super T> key) {}
    static <T> Comparator<T> comparingLong(ToLongFunction<? super T> key) {}
    static <T> Comparator<T> comparingDouble(ToDoubleFunction<? super T> key) {}
    static <T> Comparator<T> naturalOrder() {}
    static <T> Comparator<T> reverseOrder() {}
    static <T> Comparator<T> nullsFirst(Comparator<? super T> order) {}
    static <T> Comparator<T> nullsLast(Comparator<? super T> order) {}
}

public interface Collection<E> extends Iterable<E> {
    boolean add(E element);
    boolean addAll(Collection<? extends E> others);
    void clear();
    boolean contains(Object element);
    boolean containsAll(Collection<?> others);
    boolean isEmpty();
    boolean remove(Object element);
    boolean removeAll(Collection<?> others);
    default boolean removeIf(Predicate<? super E> test) {}
    boolean retainAll(Collection<?> others);
    int size();
    default Stream<E> stream() {}
    default Stream<E> parallelStream() {}
    E[] toArray();
}

public interface SequencedCollection<E> extends Collection<E> {
    void addFirst(E element);
    void addLast(E element);
    E getFirst();
    E getLast();
    E removeFirst();
    E removeLast();
    SequencedCollection<E> reversed();
}

public interface List<E> extends SequencedCollection<E> {
    static <E> List<E> of(E... elements) {}
    static <E> List<E> copyOf(Collection<? extends E> others) {}
    E get(int index);
    E set(int index, E element);
    int indexOf(Object element);
    int lastIndexOf(Object element);
    List<E> subList(int from, int to);
    ListIterator<E> listIterator();
    default void replaceAll(UnaryOperator<E> mapper) {}
    default void sort(Comparator<? super E> order) {}
}

public interface Set<E> extends Collection<E> {
    static <E> Set<E> of(E... elements) {}
    static <E> Set<E> copyOf(Collection<? extends E> others) {}
}

public interface SortedSet<E> extends Set<E> {
    E first();
    E last();
    SortedSet<E> headSet(E to);
    SortedSet<E> tailSet(E from);
    SortedSet<E> subSet(E from, E to);
    Comparator<? super E> comparator();
}

public interface NavigableSet<E> extends SortedSet<E> {
    E ceiling(E element);
    E floor(E element);
    E higher(E element);
    E lower(E element);
    E pollFirst();
    E pollLast();
    NavigableSet<E> descendingSet();
    Iterator<E> descendingIterator();
}

public interface Queue<E> extends Collection<E> {
    boolean offer(E element);
    E element();
    E peek();
    E poll();
    E remove();
}

public interface Deque<E> extends Queue<E>, SequencedCollection<E> {
    boolean offerFirst(E element);
    boolean offerLast(E element);
    E peekFirst();
    E peekLast();
    E pollFirst();
    E pollLast();
    E pop();
    void push(E element);
    Iterator<E> descendingIterator();
    boolean removeFirstOccurrence(Object element);
    boolean removeLastOccurrence(Object element);
}

public interface RandomAccess {
}

public interface Map<K, V> {
    static <K, V> Map<K, V> of() {}
    static <K, V> Map<K, V> of(K key, V value) {}
    static <K, V> Map<K, V> of(K key, V value, K key2, V value2) {}
    static <K, V> Map<K, V> of(K key, V value, K key2, V value2, K key3, V value3) {}
    static <K, V> Map<K, V> ofEntries(Map.Entry<? extends K, ? extends V>... entries) {}
    static <K, V> Map<K, V> copyOf(Map<? extends K, ? extends V> other) {}
    static <K, V> Map.Entry<K, V> entry(K key, V value) {}
    V get(Object key);
    default V getOrDefault(Object key, V other) {}
    V put(K key, V value);
    void putAll(Map<? extends K, ? extends V> other);
    default V putIfAbsent(K key, V value) {}
    V remove(Object key);
    default V replace(K key, V value) {}
    default void replaceAll(BiFunction<? super K, ? super V, ? extends V> mapper) {}
    void clear();
    boolean containsKey(Object key);
    boolean containsValue(Object value);
    boolean isEmpty();
    int size();
    Set<K> keySet();
    Collection<V> values();
    Set<Map.Entry<K, V>> entrySet();
    default V computeIfAbsent(K key, Function<? super K, ? extends V> make) {}
    default V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> make) {}
    default V compute(K key, BiFunction<? super K, ? super V, ? extends V> make) {}
    default V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> join) {}
    default void forEach(BiConsumer<? super K, ? super V> action) {}

    interface Entry<K, V> {
        K getKey();
        V getValue();
        V setValue(V value);
        static <K, V> Comparator<Map.Entry<K, V>> comparingByKey() {}
        static <K, V> Comparator<Map.Entry<K, V>> comparingByValue() {}
    }
}

public interface SortedMap<K, V> extends Map<K, V> {
    K firstKey();
    K lastKey();
    SortedMap<K, V> headMap(K to);
    SortedMap<K, V> tailMap(K from);
    SortedMap<K, V> subMap(K from, K to);
    Comparator<? super K> comparator();
}

public interface NavigableMap<K, V> extends SortedMap<K, V> {
    Map.Entry<K, V> ceilingEntry(K key);
    Map.Entry<K, V> floorEntry(K key);
    Map.Entry<K, V> higherEntry(K key);
    Map.Entry<K, V> lowerEntry(K key);
    Map.Entry<K, V> firstEntry();
    Map.Entry<K, V> lastEntry();
    Map.Entry<K, V> pollFirstEntry();
    Map.Entry<K, V> pollLastEntry();
    K ceilingKey(K key);
    K floorKey(K key);
    K higherKey(K key);
    K lowerKey(K key);
    NavigableMap<K, V> descendingMap();
    NavigableSet<K> navigableKeySet();
    NavigableSet<K> descendingKeySet();
}

public abstract class AbstractCollection<E> implements Collection<E> {
}

public abstract class AbstractList<E> extends AbstractCollection<E> implements List<E> {
    protected int modCount;
}

public abstract class AbstractSequentialList<E> extends AbstractList<E> {
}

public abstract class AbstractSet<E> extends AbstractCollection<E> implements Set<E> {
}

public abstract class AbstractQueue<E> extends AbstractCollection<E> implements Queue<E> {
}

public abstract class AbstractMap<K, V> implements Map<K, V> {
    public static class SimpleEntry<K, V> implements Map.Entry<K, V> {
        public SimpleEntry(K key, V value) {}
    }

    public static class SimpleImmutableEntry<K, V> implements Map.Entry<K, V> {
        public SimpleImmutableEntry(K key, V value) {}
    }
}

public class ArrayList<E> extends AbstractList<E> implements RandomAccess {
    public ArrayList() {}
    public ArrayList(Collection<? extends E> others) {}
    public boolean contains(Object element) {}
    public int indexOf(Object element) {}
    public void ensureCapacity(int size) {}
    public void trimToSize() {}
    public Object clone() {}
}

public class LinkedList<E> extends AbstractSequentialList<E> implements Deque<E> {
    public LinkedList() {}
    public LinkedList(Collection<? extends E> others) {}
}

public class Vector<E> extends AbstractList<E> {
    public E elementAt(int index) {}
    public E firstElement() {}
    public E lastElement() {}
    public void addElement(E element) {}
    public Enumeration<E> elements() {}
    public Object __more() {}
}

public class Stack<E> extends Vector<E> {
    public E push(E element) {}
    public E pop() {}
    public E peek() {}
    public boolean empty() {}
}

public class ArrayDeque<E> extends AbstractCollection<E> implements Deque<E> {
    public ArrayDeque() {}
    public ArrayDeque(Collection<? extends E> others) {}
}

public class PriorityQueue<E> extends AbstractQueue<E> {
    public PriorityQueue() {}
    public PriorityQueue(Comparator<? super E> order) {}
    public PriorityQueue(int size, Comparator<? super E> order) {}
    public boolean add(E element) {}
    public boolean offer(E element) {}
}

public class HashSet<E> extends AbstractSet<E> {
    public HashSet() {}
    public HashSet(Collection<? extends E> others) {}
    public boolean add(E element) {}
    public boolean contains(Object element) {}
    public boolean remove(Object element) {}
}

public class LinkedHashSet<E> extends HashSet<E> implements SequencedCollection<E> {
    public LinkedHashSet() {}
    public LinkedHashSet(Collection<? extends E> others) {}
}

public class TreeSet<E> extends AbstractSet<E> implements NavigableSet<E> {
    public TreeSet() {}
    public TreeSet(Comparator<? super E> order) {}
    public boolean add(E element) {}
    public boolean contains(Object element) {}
    public boolean remove(Object element) {}
}

public abstract class EnumSet<E> extends AbstractSet<E> {
    public static <E> EnumSet<E> of(E... elements) {}
    public static <E> EnumSet<E> allOf(Class<E> type) {}
    public static <E> EnumSet<E> noneOf(Class<E> type) {}
    public static <E> EnumSet<E> copyOf(Collection<E> others) {}
    public static <E> EnumSet<E> range(E from, E to) {}
    public static <E> EnumSet<E> complementOf(EnumSet<E> other) {}
}

public class HashMap<K, V> extends AbstractMap<K, V> {
    public HashMap() {}
    public HashMap(Map<? extends K, ? extends V> other) {}
    public V get(Object key) {}
    public V getOrDefault(Object key, V other) {}
    public V put(K key, V value) {}
    public V putIfAbsent(K key, V value) {}
    public V remove(Object key) {}
    public boolean containsKey(Object key) {}
    public V computeIfAbsent(K key, Function<? super K, ? extends V> make) {}
    public V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> join) {}
}

public class LinkedHashMap<K, V> extends HashMap<K, V> {
    public LinkedHashMap() {}
    public LinkedHashMap(Map<? extends K, ? extends V> other) {}
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {}
}

public class TreeMap<K, V> extends AbstractMap<K, V> implements NavigableMap<K, V> {
    public TreeMap() {}
    public TreeMap(Comparator<? super K> order) {}
    public V get(Object key) {}
    public V put(K key, V value) {}
    public V remove(Object key) {}
    public boolean containsKey(Object key) {}
}

public class WeakHashMap<K, V> extends AbstractMap<K, V> {
}

public class IdentityHashMap<K, V> extends AbstractMap<K, V> {
}

public class EnumMap<K, V> extends AbstractMap<K, V> {
    public EnumMap(Class<K> type) {}
}

public class Hashtable<K, V> implements Map<K, V> {
    public Enumeration<K> keys() {}
    public Enumeration<V> elements() {}
    public Object __more() {}
}

public class Properties extends Hashtable<String, String> {
    public String getProperty(String key) {}
    public String getProperty(String key, String other) {}
    public Set<String> stringPropertyNames() {}
    public Object __more() {}
}

public final class Optional<T> {
    public static <T> Optional<T> of(T value) {}
    public static <T> Optional<T> ofNullable(T value) {}
    public static <T> Optional<T> empty() {}
    public T get() {}
    public boolean isPresent() {}
    public boolean isEmpty() {}
    public void ifPresent(Consumer<? super T> action) {}
    public void ifPresentOrElse(Consumer<? super T> action, Runnable other) {}
    public Optional<T> filter(Predicate<? super T> test) {}
    public <U> Optional<U> map(Function<? super T, ? extends U> mapper) {}
    public <U> Optional<U> flatMap(Function<? super T, ? extends Optional<? extends U>> mapper) {}
    public Optional<T> or(Supplier<? extends Optional<? extends T>> other) {}
    public Stream<T> stream() {}
    public T orElse(T other) {}
    public T orElseGet(Supplier<? extends T> other) {}
    public T orElseThrow() {}
    public T orElseThrow(Supplier<?> error) {}
}

public final class OptionalInt {
    public Object __more() {}
}

public final class OptionalLong {
    public Object __more() {}
}

public final class OptionalDouble {
    public Object __more() {}
}

public final class Objects {
    public static <T> T requireNonNull(T value) {}
    public static <T> T requireNonNull(T value, Object message) {}
    public static <T> T requireNonNullElse(T value, T other) {}
    public static <T> T requireNonNullElseGet(T value, Supplier<? extends T> other) {}
    public static String toString(Object value) {}
    public static boolean equals(Object first, Object second) {}
    public static int hash(Object... values) {}
    public static int hashCode(Object value) {}
    public static boolean isNull(Object value) {}
    public static boolean nonNull(Object value) {}
    public Object __more() {}
}

public class Arrays {
    public static <T> List<T> asList(T... elements) {}
    public static <T> Stream<T> stream(T[] elements) {}
    public static <T> T[] copyOf(T[] elements, int size) {}
    public static <T> T[] copyOfRange(T[] elements, int from, int to) {}
    public static <T> void sort(T[] elements) {}
    public static <T> void sort(T[] elements, Comparator<? super T> order) {}
    public static <T> void setAll(T[] elements, IntFunction<? extends T> make) {}
    public static String toString(Object[] elements) {}
    public Object __more() {}
}

public class Collections {
    public static final List EMPTY_LIST = null;
    public static final Map EMPTY_MAP = null;
    public static final Set EMPTY_SET = null;
    public static <T> List<T> emptyList() {}
    public static <T> Set<T> emptySet() {}
    public static <K, V> Map<K, V> emptyMap() {}
    public static <T> Iterator<T> emptyIterator() {}
    public static <T> List<T> singletonList(T element) {}
    public static <T> Set<T> singleton(T element) {}
    public static <K, V> Map<K, V> singletonMap(K key, V value) {}
    public static <T> List<T> nCopies(int count, T element) {}
    public static <T> Collection<T> unmodifiableCollection(Collection<? extends T> others) {}
    public static <T> List<T> unmodifiableList(List<? extends T> others) {}
    public static <T> Set<T> unmodifiableSet(Set<? extends T> others) {}
    public static <K, V> Map<K, V> unmodifiableMap(Map<? extends K, ? extends V> other) {}
    public static <T> Collection<T> synchronizedCollection(Collection<T> others) {}
    public static <T> List<T> synchronizedList(List<T> others) {}
    public static <T> Set<T> synchronizedSet(Set<T> others) {}
    public static <K, V> Map<K, V> synchronizedMap(Map<K, V> other) {}
    public static <T> boolean addAll(Collection<? super T> to, T... elements) {}
    public static <T> void sort(List<T> elements) {}
    public static <T> void sort(List<T> elements, Comparator<? super T> order) {}
    public static <T> T max(Collection<? extends T> elements) {}
    public static <T> T max(Collection<? extends T> elements, Comparator<? super T> order) {}
    public static <T> T min(Collection<? extends T> elements) {}
    public static <T> T min(Collection<? extends T> elements, Comparator<? super T> order) {}
    public static <T> Comparator<T> reverseOrder() {}
    public static void reverse(List<?> elements) {}
    public static void shuffle(List<?> elements) {}
    public Object __more() {}
}

public class Scanner implements Iterator<String>, AutoCloseable {
    public String next() {}
    public String nextLine() {}
    public int nextInt() {}
    public Object __more() {}
}

public class StringJoiner {
    public StringJoiner add(CharSequence part) {}
    public Object __more() {}
}

public class StringTokenizer {
    public String nextToken() {}
    public boolean hasMoreTokens() {}
    public Object __more() {}
}

public class Random {
    public Object __more() {}
}

public final class UUID {
    public static UUID randomUUID() {}
    public static UUID fromString(String text) {}
    public Object __more() {}
}

public class Date implements Comparable<Date> {
    public Object __more() {}
}

public abstract class Calendar implements Comparable<Calendar> {
    public static Calendar getInstance() {}
    public Date getTime() {}
    public Object __more() {}
}

public class GregorianCalendar extends Calendar {
}

public final class Locale {
    public static Locale getDefault() {}
    public Object __more() {}
}

public abstract class TimeZone {
    public static TimeZone getDefault() {}
    public static TimeZone getTimeZone(String name) {}
    public Object __more() {}
}

public class BitSet {
    public Object __more() {}
}

public final class ServiceLoader<S> implements Iterable<S> {
    public static <S> ServiceLoader<S> load(Class<S> type) {}
    public Stream<Object> stream() {}
    public Optional<S> findFirst() {}
    public Object __more() {}
}

public interface EventListener {
}

public class EventObject {
    public Object getSource() {}
}

public class NoSuchElementException extends RuntimeException {}
public class InputMismatchException extends NoSuchElementException {}
public class ConcurrentModificationException extends RuntimeException {}
public class EmptyStackException extends RuntimeException {}
public class MissingResourceException extends RuntimeException {}

public abstract class TimerTask implements Runnable {
    public boolean cancel() {}
    public long scheduledExecutionTime() {}
}

public class Timer {
    public Timer() {}
    public void schedule(TimerTask task, long delay) {}
    public void schedule(TimerTask task, long delay, long period) {}
    public void scheduleAtFixedRate(TimerTask task, long delay, long period) {}
    public void cancel() {}
    public int purge() {}
}
