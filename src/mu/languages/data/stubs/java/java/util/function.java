// The interfaces of java.util.function: each has one abstract method.
package java.util.function;

import java.util.Comparator;

public interface Function<T, R> {
    R apply(T value);
    default <V> Function<V, R> compose(Function<? super V, ? extends T> before) {}
    default <V> Function<T, V> andThen(Function<? super R, ? extends V> after) {}
    static <T> Function<T, T> identity() {}
}

public interface BiFunction<T, U, R> {
    R apply(T first, U second);
    default <V> BiFunction<T, U, V> andThen(Function<? super R, ? extends V> after) {}
}

public interface UnaryOperator<T> extends Function<T, T> {
    static <T> UnaryOperator<T> identity() {}
}

public interface BinaryOperator<T> extends BiFunction<T, T, T> {
}

public interface Supplier<T> {
    T get();
}

public interface Consumer<T> {
    void accept(T value);
    default Consumer<T> andThen(Consumer<? super T> after) {}
}

public interface BiConsumer<T, U> {
    void accept(T first, U second);
    default BiConsumer<T, U> andThen(BiConsumer<? super T, ? super U> after) {}
}

public interface Predicate<T> {
    boolean test(T value);
    default Predicate<T> and(Predicate<? super T> other) {}
    default Predicate<T> or(Predicate<? super T> other) {}
    default Predicate<T> negate() {}
    static <T> Predicate<T> not(Predicate<? super T> target) {}
    static <T> Predicate<T> isEqual(Object target) {}
}

public interface BiPredicate<T, U> {
    boolean test(T first, U second);
    default BiPredicate<T, U> and(BiPredicate<? super T, ? super U> other) {}
    default BiPredicate<T, U> or(BiPredicate<? super T, ? super U> other) {}
    default BiPredicate<T, U> negate() {}
}

public interface BooleanSupplier { boolean getAsBoolean(); }
public interface IntSupplier { int getAsInt(); }
public interface LongSupplier { long getAsLong(); }
public interface DoubleSupplier { double getAsDouble(); }
public interface IntConsumer { void accept(int value); }
public interface LongConsumer { void accept(long value); }
public interface DoubleConsumer { void accept(double value); }
public interface ObjIntConsumer<T> { void accept(T value, int number); }
public interface ObjLongConsumer<T> { void accept(T value, long number); }
public interface ObjDoubleConsumer<T> { void accept(T value, double number); }
public interface IntPredicate { boolean test(int value); }
public interface LongPredicate { boolean test(long value); }
public interface DoublePredicate { boolean test(double value); }
public interface IntFunction<R> { R apply(int value); }
public interface LongFunction<R> { R apply(long value); }
public interface DoubleFunction<R> { R apply(double value); }
public interface ToIntFunction<T> { int applyAsInt(T value); }
public interface ToLongFunction<T> { long applyAsLong(T value); }
public interface ToDoubleFunction<T> { double applyAsDouble(T value); }
public interface ToIntBiFunction<T, U> { int applyAsInt(T first, U second); }
public interface ToLongBiFunction<T, U> { long applyAsLong(T first, U second); }
public interface ToDoubleBiFunction<T, U> { double applyAsDouble(T first, U second); }
public interface IntUnaryOperator { int applyAsInt(int value); }
public interface LongUnaryOperator { long applyAsLong(long value); }
public interface DoubleUnaryOperator { double applyAsDouble(double value); }
public interface IntBinaryOperator { int applyAsInt(int first, int second); }
public interface LongBinaryOperator { long applyAsLong(long first, long second); }
public interface DoubleBinaryOperator { double applyAsDouble(double first, double second); }
public interface IntToLongFunction { long applyAsLong(int value); }
public interface IntToDoubleFunction { double applyAsDouble(int value); }
