// Members of java.time that propagate types: most return another class of the package.
package java.time;

import java.time.temporal.*;

public final class LocalDate implements Temporal, Comparable<LocalDate> {
    public static LocalDate now() {}
    public static LocalDate parse(CharSequence text) {}
    public static LocalDate of(Object... parts) {}
    public static LocalDate from(TemporalAccessor other) {}
    public LocalDate plus(Object amount) {}
    public LocalDate minus(Object amount) {}
    public LocalDate with(Object adjuster) {}
    public LocalDate truncatedTo(TemporalUnit unit) {}
    public LocalDate plusDays(long count) {}
    public LocalDate minusDays(long count) {}
    public LocalDate plusHours(long count) {}
    public LocalDate minusHours(long count) {}
    public LocalDate plusMinutes(long count) {}
    public LocalDate minusMinutes(long count) {}
    public LocalDate plusMonths(long count) {}
    public LocalDate minusMonths(long count) {}
    public LocalDate plusSeconds(long count) {}
    public LocalDate minusSeconds(long count) {}
    public LocalDate plusWeeks(long count) {}
    public LocalDate minusWeeks(long count) {}
    public LocalDate plusYears(long count) {}
    public LocalDate minusYears(long count) {}
    public LocalDate plusMillis(long count) {}
    public LocalDate minusMillis(long count) {}
    public LocalDate plusNanos(long count) {}
    public LocalDate minusNanos(long count) {}
    public LocalDateTime atStartOfDay() {}
    public LocalDateTime atTime(LocalTime time) {}
    public DayOfWeek getDayOfWeek() {}
    public Month getMonth() {}
    public Object __more() {}
}

public final class LocalTime implements Temporal, Comparable<LocalTime> {
    public static LocalTime now() {}
    public static LocalTime parse(CharSequence text) {}
    public static LocalTime of(Object... parts) {}
    public static LocalTime from(TemporalAccessor other) {}
    public LocalTime plus(Object amount) {}
    public LocalTime minus(Object amount) {}
    public LocalTime with(Object adjuster) {}
    public LocalTime truncatedTo(TemporalUnit unit) {}
    public LocalTime plusDays(long count) {}
    public LocalTime minusDays(long count) {}
    public LocalTime plusHours(long count) {}
    public LocalTime minusHours(long count) {}
    public LocalTime plusMinutes(long count) {}
    public LocalTime minusMinutes(long count) {}
    public LocalTime plusMonths(long count) {}
    public LocalTime minusMonths(long count) {}
    public LocalTime plusSeconds(long count) {}
    public LocalTime minusSeconds(long count) {}
    public LocalTime plusWeeks(long count) {}
    public LocalTime minusWeeks(long count) {}
    public LocalTime plusYears(long count) {}
    public LocalTime minusYears(long count) {}
    public LocalTime plusMillis(long count) {}
    public LocalTime minusMillis(long count) {}
    public LocalTime plusNanos(long count) {}
    public LocalTime minusNanos(long count) {}
    public LocalDateTime atDate(LocalDate date) {}
    public Object __more() {}
}

public final class LocalDateTime implements Temporal, Comparable<LocalDateTime> {
    public static LocalDateTime now() {}
    public static LocalDateTime parse(CharSequence text) {}
    public static LocalDateTime of(Object... parts) {}
    public static LocalDateTime from(TemporalAccessor other) {}
    public LocalDateTime plus(Object amount) {}
    public LocalDateTime minus(Object amount) {}
    public LocalDateTime with(Object adjuster) {}
    public LocalDateTime truncatedTo(TemporalUnit unit) {}
    public LocalDateTime plusDays(long count) {}
    public LocalDateTime minusDays(long count) {}
    public LocalDateTime plusHours(long count) {}
    public LocalDateTime minusHours(long count) {}
    public LocalDateTime plusMinutes(long count) {}
    public LocalDateTime minusMinutes(long count) {}
    public LocalDateTime plusMonths(long count) {}
    public LocalDateTime minusMonths(long count) {}
    public LocalDateTime plusSeconds(long count) {}
    public LocalDateTime minusSeconds(long count) {}
    public LocalDateTime plusWeeks(long count) {}
    public LocalDateTime minusWeeks(long count) {}
    public LocalDateTime plusYears(long count) {}
    public LocalDateTime minusYears(long count) {}
    public LocalDateTime plusMillis(long count) {}
    public LocalDateTime minusMillis(long count) {}
    public LocalDateTime plusNanos(long count) {}
    public LocalDateTime minusNanos(long count) {}
    public LocalDate toLocalDate() {}
    public LocalTime toLocalTime() {}
    public ZonedDateTime atZone(ZoneId zone) {}
    public OffsetDateTime atOffset(ZoneOffset offset) {}
    public Object __more() {}
}

public final class ZonedDateTime implements Temporal, Comparable<ZonedDateTime> {
    public static ZonedDateTime now() {}
    public static ZonedDateTime parse(CharSequence text) {}
    public static ZonedDateTime of(Object... parts) {}
    public static ZonedDateTime from(TemporalAccessor other) {}
    public ZonedDateTime plus(Object amount) {}
    public ZonedDateTime minus(Object amount) {}
    public ZonedDateTime with(Object adjuster) {}
    public ZonedDateTime truncatedTo(TemporalUnit unit) {}
    public ZonedDateTime plusDays(long count) {}
    public ZonedDateTime minusDays(long count) {}
    public ZonedDateTime plusHours(long count) {}
    public ZonedDateTime minusHours(long count) {}
    public ZonedDateTime plusMinutes(long count) {}
    public ZonedDateTime minusMinutes(long count) {}
    public ZonedDateTime plusMonths(long count) {}
    public ZonedDateTime minusMonths(long count) {}
    public ZonedDateTime plusSeconds(long count) {}
    public ZonedDateTime minusSeconds(long count) {}
    public ZonedDateTime plusWeeks(long count) {}
    public ZonedDateTime minusWeeks(long count) {}
    public ZonedDateTime plusYears(long count) {}
    public ZonedDateTime minusYears(long count) {}
    public ZonedDateTime plusMillis(long count) {}
    public ZonedDateTime minusMillis(long count) {}
    public ZonedDateTime plusNanos(long count) {}
    public ZonedDateTime minusNanos(long count) {}
    public LocalDate toLocalDate() {}
    public LocalDateTime toLocalDateTime() {}
    public Instant toInstant() {}
    public ZoneId getZone() {}
    public Object __more() {}
}

public final class OffsetDateTime implements Temporal, Comparable<OffsetDateTime> {
    public static OffsetDateTime now() {}
    public static OffsetDateTime parse(CharSequence text) {}
    public static OffsetDateTime of(Object... parts) {}
    public static OffsetDateTime from(TemporalAccessor other) {}
    public OffsetDateTime plus(Object amount) {}
    public OffsetDateTime minus(Object amount) {}
    public OffsetDateTime with(Object adjuster) {}
    public OffsetDateTime truncatedTo(TemporalUnit unit) {}
    public OffsetDateTime plusDays(long count) {}
    public OffsetDateTime minusDays(long count) {}
    public OffsetDateTime plusHours(long count) {}
    public OffsetDateTime minusHours(long count) {}
    public OffsetDateTime plusMinutes(long count) {}
    public OffsetDateTime minusMinutes(long count) {}
    public OffsetDateTime plusMonths(long count) {}
    public OffsetDateTime minusMonths(long count) {}
    public OffsetDateTime plusSeconds(long count) {}
    public OffsetDateTime minusSeconds(long count) {}
    public OffsetDateTime plusWeeks(long count) {}
    public OffsetDateTime minusWeeks(long count) {}
    public OffsetDateTime plusYears(long count) {}
    public OffsetDateTime minusYears(long count) {}
    public OffsetDateTime plusMillis(long count) {}
    public OffsetDateTime minusMillis(long count) {}
    public OffsetDateTime plusNanos(long count) {}
    public OffsetDateTime minusNanos(long count) {}
    public LocalDateTime toLocalDateTime() {}
    public Instant toInstant() {}
    public ZoneOffset getOffset() {}
    public Object __more() {}
}

public final class Instant implements Temporal, Comparable<Instant> {
    public static Instant now() {}
    public static Instant parse(CharSequence text) {}
    public static Instant of(Object... parts) {}
    public static Instant from(TemporalAccessor other) {}
    public Instant plus(Object amount) {}
    public Instant minus(Object amount) {}
    public Instant with(Object adjuster) {}
    public Instant truncatedTo(TemporalUnit unit) {}
    public Instant plusDays(long count) {}
    public Instant minusDays(long count) {}
    public Instant plusHours(long count) {}
    public Instant minusHours(long count) {}
    public Instant plusMinutes(long count) {}
    public Instant minusMinutes(long count) {}
    public Instant plusMonths(long count) {}
    public Instant minusMonths(long count) {}
    public Instant plusSeconds(long count) {}
    public Instant minusSeconds(long count) {}
    public Instant plusWeeks(long count) {}
    public Instant minusWeeks(long count) {}
    public Instant plusYears(long count) {}
    public Instant minusYears(long count) {}
    public Instant plusMillis(long count) {}
    public Instant minusMillis(long count) {}
    public Instant plusNanos(long count) {}
    public Instant minusNanos(long count) {}
    public static Instant ofEpochMilli(long millis) {}
    public static Instant ofEpochSecond(long seconds) {}
    public ZonedDateTime atZone(ZoneId zone) {}
    public Object __more() {}
}

public final class Duration implements Comparable<Duration> {
    public static Duration between(Temporal from, Temporal to) {}
    public static Duration of(long amount, TemporalUnit unit) {}
    public static Duration ofDays(long count) {}
    public static Duration ofHours(long count) {}
    public static Duration ofMillis(long count) {}
    public static Duration ofMinutes(long count) {}
    public static Duration ofNanos(long count) {}
    public static Duration ofSeconds(long count) {}
    public static Duration parse(CharSequence text) {}
    public Duration plus(Duration other) {}
    public Duration minus(Duration other) {}
    public Duration multipliedBy(long factor) {}
    public Object __more() {}
}

public final class Period {
    public static Period between(LocalDate from, LocalDate to) {}
    public static Period ofDays(int count) {}
    public static Period ofMonths(int count) {}
    public static Period ofYears(int count) {}
    public Object __more() {}
}

public abstract class Clock {
    public static Clock systemUTC() {}
    public static Clock systemDefaultZone() {}
    public static Clock fixed(Instant instant, ZoneId zone) {}
    public Instant instant() {}
    public ZoneId getZone() {}
    public Object __more() {}
}

public abstract class ZoneId {
    public static ZoneId of(String name) {}
    public static ZoneId systemDefault() {}
    public Object __more() {}
}

public final class ZoneOffset extends ZoneId {
    public static final ZoneOffset UTC;
}

public enum DayOfWeek {
    MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY;

    public Object __more() {}
}

public enum Month {
    JANUARY, FEBRUARY, MARCH, APRIL, MAY, JUNE, JULY, AUGUST, SEPTEMBER, OCTOBER, NOVEMBER, DECEMBER;

    public Object __more() {}
}

public class DateTimeException extends RuntimeException {}
