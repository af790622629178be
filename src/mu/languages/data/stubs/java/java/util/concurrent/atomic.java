// Members of java.util.concurrent.atomic that propagate types.
package java.util.concurrent.atomic;

import java.util.function.*;

public class AtomicReference<V> {
    public AtomicReference() {}
    public AtomicReference(V value) {}
    public V get() {}
    public void set(V value) {}
    public V getAndSet(V value) {}
    public boolean compareAndSet(V expected, V value) {}
    public V updateAndGet(UnaryOperator<V> update) {}
    public V getAndUpdate(UnaryOperator<V> update) {}
    public V accumulateAndGet(V value, BinaryOperator<V> join) {}
    public Object __more() {}
}

public class AtomicInteger extends Number {
    public int updateAndGet(IntUnaryOperator update) {}
    public int getAndUpdate(IntUnaryOperator update) {}
    public int accumulateAndGet(int value, IntBinaryOperator join) {}
    public Object __more() {}
}

public class AtomicLong extends Number {
    public long updateAndGet(LongUnaryOperator update) {}
    public long getAndUpdate(LongUnaryOperator update) {}
    public long accumulateAndGet(long value, LongBinaryOperator join) {}
    public Object __more() {}
}

public class AtomicBoolean {
    public Object __more() {}
}
