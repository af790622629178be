// Members of java.io that propagate types.
package java.io;

import java.nio.file.Path;
import java.util.stream.Stream;

public interface Closeable extends AutoCloseable {
    void close();
}

public interface Flushable {
    void flush();
}

public interface Serializable {
}

public interface Externalizable extends Serializable {
    Object __more();
}

public interface FileFilter {
    boolean accept(File file);
}

public interface FilenameFilter {
    boolean accept(File folder, String name);
}

public class File implements Serializable, Comparable<File> {
    public File(String path) {}
    public File getAbsoluteFile() {}
    public File getCanonicalFile() {}
    public File getParentFile() {}
    public String getName() {}
    public String getParent() {}
    public String getPath() {}
    public String getAbsolutePath() {}
    public String getCanonicalPath() {}
    public String[] list() {}
    public File[] listFiles() {}
    public File[] listFiles(FileFilter filter) {}
    public Path toPath() {}
    public static File createTempFile(String prefix, String suffix) {}
    public Object __more() {}
}

public abstract class InputStream implements Closeable {
    public int read() {}
    public byte[] readAllBytes() {}
    public Object __more() {}
}

public abstract class OutputStream implements Closeable, Flushable {
    public void write(int value) {}
    public Object __more() {}
}

public class FilterInputStream extends InputStream {}
public class FilterOutputStream extends OutputStream {}
public class BufferedInputStream extends FilterInputStream {}
public class BufferedOutputStream extends FilterOutputStream {}
public class DataInputStream extends FilterInputStream {}
public class DataOutputStream extends FilterOutputStream {}
public class FileInputStream extends InputStream {}
public class FileOutputStream extends OutputStream {}
public class ByteArrayInputStream extends InputStream {}
public class ObjectInputStream extends InputStream {}
public class ObjectOutputStream extends OutputStream {}

public class ByteArrayOutputStream extends OutputStream {
    public byte[] toByteArray() {}
    public String toString() {}
}

public class PrintStream extends FilterOutputStream {
    public PrintStream append(CharSequence text) {}
    public PrintStream format(String format, Object... args) {}
    public PrintStream printf(String format, Object... args) {}
    public void print(Object value) {}
    public void println() {}
    public void println(Object value) {}
}

public abstract class Reader implements Readable, Closeable {
    public int read() {}
    public Object __more() {}
}

public abstract class Writer implements Appendable, Closeable, Flushable {
    public Writer append(CharSequence text) {}
    public void write(String text) {}
    public Object __more() {}
}

public class BufferedReader extends Reader {
    public BufferedReader(Reader in) {}
    public String readLine() {}
    public Stream<String> lines() {}
}

public class InputStreamReader extends Reader {
    public InputStreamReader(InputStream in) {}
}

public class FileReader extends InputStreamReader {}
public class StringReader extends Reader {}
public class PushbackReader extends Reader {}
public class LineNumberReader extends BufferedReader {}

public class BufferedWriter extends Writer {
    public void newLine() {}
}

public class OutputStreamWriter extends Writer {}
public class FileWriter extends OutputStreamWriter {}

public class StringWriter extends Writer {
    public StringBuffer getBuffer() {}
    public String toString() {}
}

public class PrintWriter extends Writer {
    public PrintWriter append(CharSequence text) {}
    public PrintWriter format(String format, Object... args) {}
    public PrintWriter printf(String format, Object... args) {}
    public void print(Object value) {}
    public void println() {}
    public void println(Object value) {}
}

public class IOException extends Exception {}
public class EOFException extends IOException {}
public class FileNotFoundException extends IOException {}
public class InterruptedIOException extends IOException {}
public class ObjectStreamException extends IOException {}
public class InvalidObjectException extends ObjectStreamException {}
public class NotSerializableException extends ObjectStreamException {}
public class UnsupportedEncodingException extends IOException {}
public class UncheckedIOException extends RuntimeException {
    public IOException getCause() {}
}
