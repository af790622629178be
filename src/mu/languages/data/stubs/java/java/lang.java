// Members of java.lang that propagate types. `array` is the class of all arrays, `__Self` the class
// of the receiver; a class with `__more` has members that are not listed.
package java.lang;

import java.io.*;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Object {
    public boolean equals(Object other) {}
    public final Class<?> getClass() {}
    public int hashCode() {}
    public final void notify() {}
    public final void notifyAll() {}
    public String toString() {}
    public final void wait() {}
    protected Object clone() {}
    protected void finalize() {}
}

public interface Iterable<T> {
    Iterator<T> iterator();
    default void forEach(Consumer<? super T> action) {}
    default Spliterator<T> spliterator() {}
}

public class array<T> implements Iterable<T> {
    public int length;
    public T get(int index) {}
    public __Self clone() {}
}

public interface Runnable {
    void run();
}

public interface Comparable<T> {
    int compareTo(T other);
}

public interface AutoCloseable {
    void close();
}

public interface Cloneable {
}

public interface Appendable {
    Appendable append(CharSequence text);
    Object __more();
}

public interface Readable {
    int read(Object buffer);
}

public @interface Override {}
public @interface Deprecated {}
public @interface FunctionalInterface {}
public @interface SafeVarargs {}
public @interface SuppressWarnings {}

public abstract class Record {
}

public abstract class Enum<E> implements Comparable<E> {
    public static __Self[] values() {}
    public static __Self valueOf(String name) {}
    public final String name() {}
    public final int ordinal() {}
    public final int compareTo(E other) {}
    public final Class<E> getDeclaringClass() {}
}

public interface CharSequence {
    char charAt(int index);
    int length();
    CharSequence subSequence(int begin, int end);
    default boolean isEmpty() {}
    default IntStream chars() {}
    default IntStream codePoints() {}
    String toString();
}

public final class String implements Comparable<String>, CharSequence {
    public static String format(String format, Object... args) {}
    public static String join(CharSequence separator, Object... parts) {}
    public static String valueOf(Object value) {}
    public static String copyValueOf(char[] data) {}
    public char charAt(int index) {}
    public int length() {}
    public int compareTo(String other) {}
    public int compareToIgnoreCase(String other) {}
    public String concat(String other) {}
    public boolean contains(CharSequence part) {}
    public boolean contentEquals(CharSequence other) {}
    public boolean endsWith(String end) {}
    public boolean equalsIgnoreCase(String other) {}
    public String formatted(Object... args) {}
    public byte[] getBytes() {}
    public int indexOf(String part) {}
    public int lastIndexOf(String part) {}
    public String intern() {}
    public boolean isBlank() {}
    public Stream<String> lines() {}
    public boolean matches(String pattern) {}
    public String repeat(int count) {}
    public String replace(CharSequence old, CharSequence other) {}
    public String replaceAll(String pattern, String other) {}
    public String replaceFirst(String pattern, String other) {}
    public String[] split(String pattern) {}
    public boolean startsWith(String start) {}
    public String strip() {}
    public String substring(int begin) {}
    public char[] toCharArray() {}
    public String toLowerCase() {}
    public String toUpperCase() {}
    public String trim() {}
    public Object __more() {}
}

abstract class AbstractStringBuilder implements CharSequence, Appendable {
    public __Self append(Object value) {}
    public __Self appendCodePoint(int point) {}
    public __Self delete(int start, int end) {}
    public __Self deleteCharAt(int index) {}
    public __Self insert(int index, Object value) {}
    public __Self replace(int start, int end, String text) {}
    public __Self reverse() {}
    public int indexOf(String part) {}
    public int lastIndexOf(String part) {}
    public void setCharAt(int index, char value) {}
    public void setLength(int length) {}
    public String substring(int start) {}
    public String toString() {}
    public Object __more() {}
}

public final class StringBuilder extends AbstractStringBuilder {
}

public final class StringBuffer extends AbstractStringBuilder {
}

public abstract class Number {
    public byte byteValue() {}
    public double doubleValue() {}
    public float floatValue() {}
    public int intValue() {}
    public long longValue() {}
    public short shortValue() {}
}

public final class Integer extends Number implements Comparable<Integer> {
    public static int parseInt(String text) {}
    public static Integer valueOf(String text) {}
    public static String toString(int value) {}
    public static String toHexString(int value) {}
    public int compareTo(Integer other) {}
    public Object __more() {}
}

public final class Long extends Number implements Comparable<Long> {
    public static long parseLong(String text) {}
    public static Long valueOf(String text) {}
    public static String toString(long value) {}
    public int compareTo(Long other) {}
    public Object __more() {}
}

public final class Double extends Number implements Comparable<Double> {
    public static double parseDouble(String text) {}
    public static Double valueOf(String text) {}
    public static String toString(double value) {}
    public int compareTo(Double other) {}
    public Object __more() {}
}

public final class Float extends Number implements Comparable<Float> {
    public static float parseFloat(String text) {}
    public static Float valueOf(String text) {}
    public int compareTo(Float other) {}
    public Object __more() {}
}

public final class Short extends Number implements Comparable<Short> {
    public static Short valueOf(String text) {}
    public int compareTo(Short other) {}
    public Object __more() {}
}

public final class Byte extends Number implements Comparable<Byte> {
    public static Byte valueOf(String text) {}
    public int compareTo(Byte other) {}
    public Object __more() {}
}

public final class Boolean implements Comparable<Boolean> {
    public static boolean parseBoolean(String text) {}
    public static Boolean valueOf(String text) {}
    public static String toString(boolean value) {}
    public boolean booleanValue() {}
    public int compareTo(Boolean other) {}
    public Object __more() {}
}

public final class Character implements Comparable<Character> {
    public static Character valueOf(char value) {}
    public static String toString(char value) {}
    public static char toLowerCase(char value) {}
    public static char toUpperCase(char value) {}
    public char charValue() {}
    public int compareTo(Character other) {}
    public Object __more() {}
}

public final class Void {
}

public final class Math {
    public Object __more() {}
}

public final class StrictMath {
    public Object __more() {}
}

public final class System {
    public static final InputStream in;
    public static final PrintStream out;
    public static final PrintStream err;
    public static String getProperty(String name) {}
    public static String getProperty(String name, String other) {}
    public static String getenv(String name) {}
    public static String lineSeparator() {}
    public Object __more() {}
}

public final class Class<T> {
    public T cast(Object value) {}
    public T newInstance() {}
    public String getName() {}
    public String getSimpleName() {}
    public String getCanonicalName() {}
    public String getTypeName() {}
    public ClassLoader getClassLoader() {}
    public Class<?> getSuperclass() {}
    public T[] getEnumConstants() {}
    public Object __more() {}
}

public abstract class ClassLoader {
    public Object __more() {}
}

public class Thread implements Runnable {
    public Thread(Runnable target) {}
    public Thread(Runnable target, String name) {}
    public static Thread currentThread() {}
    public static void sleep(long millis) {}
    public void run() {}
    public void start() {}
    public void join() {}
    public void interrupt() {}
    public final String getName() {}
    public Object __more() {}
}

public class ThreadLocal<T> {
    public static <S> ThreadLocal<S> withInitial(Supplier<? extends S> supplier) {}
    protected T initialValue() {}
    public T get() {}
    public void set(T value) {}
    public void remove() {}
}

public class Process {
    public java.io.InputStream getInputStream() {}
    public java.io.InputStream getErrorStream() {}
    public java.io.OutputStream getOutputStream() {}
    public Object __more() {}
}

public final class ProcessBuilder {
    public Process start() {}
    public Object __more() {}
}

public class Runtime {
    public static Runtime getRuntime() {}
    public void addShutdownHook(Thread hook) {}
    public Object __more() {}
}

public final class StackTraceElement {
    public String getClassName() {}
    public String getMethodName() {}
    public String getFileName() {}
    public int getLineNumber() {}
    public Object __more() {}
}

public class Package {
    public String getName() {}
    public Object __more() {}
}

public class Throwable {
    public synchronized Throwable fillInStackTrace() {}
    public String getMessage() {}
    public String getLocalizedMessage() {}
    public Throwable getCause() {}
    public Throwable initCause(Throwable cause) {}
    public StackTraceElement[] getStackTrace() {}
    public void setStackTrace(StackTraceElement[] trace) {}
    public void addSuppressed(Throwable other) {}
    public final Throwable[] getSuppressed() {}
    public void printStackTrace() {}
}

public class Exception extends Throwable {}
public class Error extends Throwable {}
public class RuntimeException extends Exception {}
public class ArithmeticException extends RuntimeException {}
public class ArrayStoreException extends RuntimeException {}
public class ClassCastException extends RuntimeException {}
public class EnumConstantNotPresentException extends RuntimeException {}
public class IllegalArgumentException extends RuntimeException {}
public class IllegalCallerException extends RuntimeException {}
public class IllegalMonitorStateException extends RuntimeException {}
public class IllegalStateException extends RuntimeException {}
public class IllegalThreadStateException extends IllegalArgumentException {}
public class IndexOutOfBoundsException extends RuntimeException {}
public class ArrayIndexOutOfBoundsException extends IndexOutOfBoundsException {}
public class StringIndexOutOfBoundsException extends IndexOutOfBoundsException {}
public class NegativeArraySizeException extends RuntimeException {}
public class NullPointerException extends RuntimeException {}
public class NumberFormatException extends IllegalArgumentException {}
public class SecurityException extends RuntimeException {}
public class UnsupportedOperationException extends RuntimeException {}
public class CloneNotSupportedException extends Exception {}
public class InterruptedException extends Exception {}
public class ReflectiveOperationException extends Exception {}
public class ClassNotFoundException extends ReflectiveOperationException {}
public class IllegalAccessException extends ReflectiveOperationException {}
public class InstantiationException extends ReflectiveOperationException {}
public class NoSuchFieldException extends ReflectiveOperationException {}
public class NoSuchMethodException extends ReflectiveOperationException {}
public class AssertionError extends Error {}
public class LinkageError extends Error {}
public class ExceptionInInitializerError extends LinkageError {}
public class NoClassDefFoundError extends LinkageError {}
public class IncompatibleClassChangeError extends LinkageError {}
public class VirtualMachineError extends Error {}
public class OutOfMemoryError extends VirtualMachineError {}
public class StackOverflowError extends VirtualMachineError {}
public class InternalError extends VirtualMachineError {}
