// Members of java.nio.file that propagate types.
package java.nio.file;

import java.io.*;
import java.util.*;
import java.util.stream.Stream;

public interface Path extends Comparable<Path>, Iterable<Path> {
    static Path of(String first, String... more) {}
    Path getFileName();
    Path getName(int index);
    Path getParent();
    Path getRoot();
    Path normalize();
    Path relativize(Path other);
    Path resolve(Path other);
    Path resolveSibling(Path other);
    Path toAbsolutePath();
    Path toRealPath();
    File toFile();
    FileSystem getFileSystem();
    boolean startsWith(Path other);
    boolean endsWith(Path other);
    boolean isAbsolute();
    Object __more();
}

public final class Paths {
    public static Path get(String first, String... more) {}
}

public abstract class FileSystem {
    public Path getPath(String first, String... more) {}
    public Object __more() {}
}

public final class FileSystems {
    public static FileSystem getDefault() {}
    public Object __more() {}
}

public interface OpenOption {
}

public interface CopyOption {
}

public interface DirectoryStream<T> extends Closeable, Iterable<T> {
}

public interface FileVisitor<T> {
    Object __more();
}

public class SimpleFileVisitor<T> implements FileVisitor<T> {
}

public final class Files {
    public static BufferedReader newBufferedReader(Path path) {}
    public static BufferedWriter newBufferedWriter(Path path, OpenOption... options) {}
    public static InputStream newInputStream(Path path, OpenOption... options) {}
    public static OutputStream newOutputStream(Path path, OpenOption... options) {}
    public static DirectoryStream<Path> newDirectoryStream(Path path) {}
    public static Stream<String> lines(Path path) {}
    public static Stream<Path> list(Path path) {}
    public static Stream<Path> walk(Path path) {}
    public static Stream<Path> find(
        Path path, int depth, java.util.function.BiPredicate<Path, Object> test) {}
    public static List<String> readAllLines(Path path) {}
    public static String readString(Path path) {}
    public static byte[] readAllBytes(Path path) {}
    public static Path write(Path path, byte[] bytes, OpenOption... options) {}
    public static Path writeString(Path path, CharSequence text, OpenOption... options) {}
    public static Path copy(Path from, Path to, CopyOption... options) {}
    public static Path move(Path from, Path to, CopyOption... options) {}
    public static Path createDirectory(Path path) {}
    public static Path createDirectories(Path path) {}
    public static Path createFile(Path path) {}
    public static Path createTempDirectory(String prefix) {}
    public static Path createTempFile(String prefix, String suffix) {}
    public static Path walkFileTree(Path path, FileVisitor<? super Path> visitor) {}
    public Object __more() {}
}

public class FileSystemException extends IOException {}
public class NoSuchFileException extends FileSystemException {}
public class FileAlreadyExistsException extends FileSystemException {}
public class DirectoryNotEmptyException extends FileSystemException {}
public class AccessDeniedException extends FileSystemException {}
public class InvalidPathException extends IllegalArgumentException {}
