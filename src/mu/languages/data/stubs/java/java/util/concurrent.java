// Members of java.util.concurrent that propagate types.
package java.util.concurrent;

import java.util.*;
import java.util.function.*;

public interface Callable<V> {
    V call();
}

public interface Executor {
    void execute(Runnable command);
}

public interface ExecutorService extends Executor, AutoCloseable {
    Future<?> submit(Runnable task);
    <T> Future<T> submit(Callable<T> task);
    <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks);
    <T> T invokeAny(Collection<? extends Callable<T>> tasks);
    void shutdown();
    List<Runnable> shutdownNow();
    Object __more();
}

public interface ScheduledExecutorService extends ExecutorService {
    ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit);
    ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long first, long period, TimeUnit unit);
    ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long first, long delay, TimeUnit unit);
}

public class Executors {
    public static ExecutorService newFixedThreadPool(int size) {}
    public static ExecutorService newCachedThreadPool() {}
    public static ExecutorService newSingleThreadExecutor() {}
    public static ScheduledExecutorService newScheduledThreadPool(int size) {}
    public static ScheduledExecutorService newSingleThreadScheduledExecutor() {}
    public static ThreadFactory defaultThreadFactory() {}
    public Object __more() {}
}

public class ThreadPoolExecutor implements ExecutorService {
    public Object __more() {}
}

public interface ThreadFactory {
    Thread newThread(Runnable target);
}

public interface Future<V> {
    boolean cancel(boolean interrupt);
    V get();
    V get(long time, TimeUnit unit);
    boolean isCancelled();
    boolean isDone();
    Object __more();
}

public interface ScheduledFuture<V> extends Future<V> {
}

public class FutureTask<V> implements Future<V>, Runnable {
    public FutureTask(Callable<V> callable) {}
}

public interface CompletionStage<T> {
    Object __more();
}

public class CompletableFuture<T> implements Future<T>, CompletionStage<T> {
    public static <U> CompletableFuture<U> supplyAsync(Supplier<U> supplier) {}
    public static <U> CompletableFuture<U> supplyAsync(Supplier<U> supplier, Executor executor) {}
    public static CompletableFuture<Void> runAsync(Runnable task) {}
    public static CompletableFuture<Void> runAsync(Runnable task, Executor executor) {}
    public static <U> CompletableFuture<U> completedFuture(U value) {}
    public static CompletableFuture<Void> allOf(CompletableFuture<?>... others) {}
    public <U> CompletableFuture<U> thenApply(Function<? super T, ? extends U> next) {}
    public <U> CompletableFuture<U> thenApplyAsync(Function<? super T, ? extends U> next) {}
    public CompletableFuture<Void> thenAccept(Consumer<? super T> next) {}
    public CompletableFuture<Void> thenRun(Runnable next) {}
    public <U> CompletableFuture<U> thenCompose(
        Function<? super T, ? extends CompletableFuture<U>> next) {}
    public <U> CompletableFuture<U> thenComposeAsync(
        Function<? super T, ? extends CompletableFuture<U>> next) {}
    public CompletableFuture<Void> thenAcceptAsync(Consumer<? super T> next) {}
    public <U, V> CompletableFuture<V> thenCombine(
        CompletableFuture<? extends U> other, BiFunction<? super T, ? super U, ? extends V> join) {}
    public <U> CompletableFuture<Void> thenAcceptBoth(
        CompletableFuture<? extends U> other, BiConsumer<? super T, ? super U> next) {}
    public CompletableFuture<T> exceptionally(Function<Throwable, ? extends T> next) {}
    public CompletableFuture<T> whenComplete(BiConsumer<? super T, Throwable> next) {}
    public <U> CompletableFuture<U> handle(BiFunction<? super T, Throwable, ? extends U> next) {}
    public boolean complete(T value) {}
    public T join() {}
    public Object __more() {}
}

public interface ConcurrentMap<K, V> extends Map<K, V> {
}

public class ConcurrentHashMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V> {
    public V get(Object key) {}
    public V put(K key, V value) {}
    public boolean containsKey(Object key) {}
    public static <T> Set<T> newKeySet() {}
    public Object __more() {}
}

public class ConcurrentSkipListMap<K, V> extends AbstractMap<K, V>
        implements ConcurrentMap<K, V>, NavigableMap<K, V> {
}

public class ConcurrentLinkedQueue<E> extends AbstractQueue<E> {
}

public class ConcurrentLinkedDeque<E> extends AbstractCollection<E> implements Deque<E> {
}

public class CopyOnWriteArrayList<E> implements List<E> {
    public CopyOnWriteArrayList() {}
    public CopyOnWriteArrayList(Collection<? extends E> others) {}
    public boolean addIfAbsent(E element) {}
}

public class CopyOnWriteArraySet<E> extends AbstractSet<E> {
}

public interface BlockingQueue<E> extends Queue<E> {
    void put(E element);
    E take();
    E poll(long time, TimeUnit unit);
    int drainTo(Collection<? super E> to);
    int remainingCapacity();
}

public class ArrayBlockingQueue<E> extends AbstractQueue<E> implements BlockingQueue<E> {
}

public class LinkedBlockingQueue<E> extends AbstractQueue<E> implements BlockingQueue<E> {
}

public class PriorityBlockingQueue<E> extends AbstractQueue<E> implements BlockingQueue<E> {
}

public enum TimeUnit {
    NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS, MINUTES, HOURS, DAYS;

    public Object __more() {}
}

public class CountDownLatch {
    public Object __more() {}
}

public class Semaphore {
    public Object __more() {}
}

public class ThreadLocalRandom extends Random {
    public static ThreadLocalRandom current() {}
}

public class ExecutionException extends Exception {}
public class TimeoutException extends Exception {}
public class CancellationException extends IllegalStateException {}
public class CompletionException extends RuntimeException {}
public class RejectedExecutionException extends RuntimeException {}
