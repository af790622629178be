// Members of java.util.regex that propagate types.
package java.util.regex;

import java.util.function.*;
import java.util.stream.Stream;

public final class Pattern {
    public static Pattern compile(String pattern) {}
    public static Pattern compile(String pattern, int flags) {}
    public static String quote(String text) {}
    public static boolean matches(String pattern, CharSequence text) {}
    public Matcher matcher(CharSequence text) {}
    public String pattern() {}
    public String[] split(CharSequence text) {}
    public Stream<String> splitAsStream(CharSequence text) {}
    public Predicate<String> asPredicate() {}
    public Object __more() {}
}

public interface MatchResult {
    String group();
    int start();
    int end();
    Object __more();
}

public final class Matcher implements MatchResult {
    public String group(int number) {}
    public boolean find() {}
    public boolean matches() {}
    public boolean lookingAt() {}
    public Matcher reset() {}
    public String replaceAll(String text) {}
    public String replaceAll(Function<MatchResult, String> make) {}
    public MatchResult toMatchResult() {}
    public Stream<MatchResult> results() {}
    public Object __more() {}
}

public class PatternSyntaxException extends IllegalArgumentException {
    public Object __more() {}
}
