// Members of java.util.stream that propagate types.
package java.util.stream;

import java.util.*;
import java.util.function.*;

public interface BaseStream<T, S> extends AutoCloseable {
    Iterator<T> iterator();
    S parallel();
    S sequential();
    S unordered();
    S onClose(Runnable handler);
    void close();
}

public interface Stream<T> extends BaseStream<T, Stream<T>> {
    static <T> Stream<T> of(T... values) {}
    static <T> Stream<T> ofNullable(T value) {}
    static <T> Stream<T> empty() {}
    static <T> Stream<T> concat(Stream<? extends T> first, Stream<? extends T> second) {}
    static <T> Stream<T> generate(Supplier<? extends T> supplier) {}
    static <T> Stream<T> iterate(T first, UnaryOperator<T> next) {}
    Stream<T> filter(Predicate<? super T> test);
    <R> Stream<R> map(Function<? super T, ? extends R> mapper);
    <R> Stream<R> flatMap(Function<? super T, ? extends Stream<? extends R>> mapper);
    <R> Stream<R> mapMulti(BiConsumer<? super T, ? super Consumer<R>> mapper);
    IntStream mapToInt(ToIntFunction<? super T> mapper);
    LongStream mapToLong(ToLongFunction<? super T> mapper);
    DoubleStream mapToDouble(ToDoubleFunction<? super T> mapper);
    Stream<T> distinct();
    Stream<T> sorted();
    Stream<T> sorted(Comparator<? super T> order);
    Stream<T> peek(Consumer<? super T> action);
    Stream<T> limit(long count);
    Stream<T> skip(long count);
    Stream<T> takeWhile(Predicate<? super T> test);
    Stream<T> dropWhile(Predicate<? super T> test);
    void forEach(Consumer<? super T> action);
    void forEachOrdered(Consumer<? super T> action);
    T[] toArray();
    List<T> toList();
    Optional<T> reduce(BinaryOperator<T> join);
    T reduce(T first, BinaryOperator<T> join);
    <R> R collect(Collector<? super T, ?, R> collector);
    Optional<T> min(Comparator<? super T> order);
    Optional<T> max(Comparator<? super T> order);
    long count();
    boolean anyMatch(Predicate<? super T> test);
    boolean allMatch(Predicate<? super T> test);
    boolean noneMatch(Predicate<? super T> test);
    Optional<T> findFirst();
    Optional<T> findAny();
}

public interface IntStream extends BaseStream<Integer, IntStream> {
    static IntStream range(int from, int to) {}
    static IntStream rangeClosed(int from, int to) {}
    static IntStream of(int... values) {}
    <R> Stream<R> mapToObj(IntFunction<? extends R> mapper);
    IntStream map(IntUnaryOperator mapper);
    IntStream filter(IntPredicate test);
    void forEach(IntConsumer action);
    boolean anyMatch(IntPredicate test);
    boolean allMatch(IntPredicate test);
    boolean noneMatch(IntPredicate test);
    Stream<Integer> boxed();
    Object __more();
}

public interface LongStream extends BaseStream<Long, LongStream> {
    static LongStream range(long from, long to) {}
    <R> Stream<R> mapToObj(LongFunction<? extends R> mapper);
    LongStream map(LongUnaryOperator mapper);
    LongStream filter(LongPredicate test);
    void forEach(LongConsumer action);
    Stream<Long> boxed();
    Object __more();
}

public interface DoubleStream extends BaseStream<Double, DoubleStream> {
    <R> Stream<R> mapToObj(DoubleFunction<? extends R> mapper);
    DoubleStream map(DoubleUnaryOperator mapper);
    DoubleStream filter(DoublePredicate test);
    void forEach(DoubleConsumer action);
    Stream<Double> boxed();
    Object __more();
}

public interface Collector<T, A, R> {
    Supplier<A> supplier();
    BiConsumer<A, T> accumulator();
    BinaryOperator<A> combiner();
    Function<A, R> finisher();
    Object __more();
}

public final class Collectors {
    public static <T> Collector<T, ?, List<T>> toList() {}
    public static <T> Collector<T, ?, List<T>> toUnmodifiableList() {}
    public static <T> Collector<T, ?, Set<T>> toSet() {}
    public static <T> Collector<T, ?, Set<T>> toUnmodifiableSet() {}
    public static <T, C> Collector<T, ?, C> toCollection(Supplier<C> factory) {}
    public static Collector<CharSequence, ?, String> joining(CharSequence... parts) {}
    public static <T, K, V> Collector<T, ?, Map<K, V>> toMap(
        Function<? super T, ? extends K> key, Function<? super T, ? extends V> value) {}
    public static <T, K> Collector<T, ?, Map<K, List<T>>> groupingBy(
        Function<? super T, ? extends K> key) {}
    public static <T> Collector<T, ?, Map<Boolean, List<T>>> partitioningBy(
        Predicate<? super T> test) {}
    public static <T, U, R> Collector<T, ?, R> mapping(
        Function<? super T, ? extends U> mapper, Collector<? super U, ?, R> below) {}
    public Object __more() {}
}

public final class StreamSupport {
    public static <T> Stream<T> stream(Spliterator<T> source, boolean parallel) {}
    public Object __more() {}
}
