// What java.lang has that types flow through. `array` stands for every array type.
package java.lang;

import java.util.*;

public class Object {
    public boolean equals(Object other);
    public int hashCode();
    public String toString();
}

public interface Iterable<T> {
    Iterator<T> iterator();
}

public class array<T> implements Iterable<T> {
    public T get(int index);
}
