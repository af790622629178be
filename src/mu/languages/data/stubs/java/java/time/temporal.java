// Members of java.time.temporal that propagate types.
package java.time.temporal;

public interface TemporalAccessor {
    Object __more();
}

public interface Temporal extends TemporalAccessor {
}

public interface TemporalAmount {
    Object __more();
}

public interface TemporalUnit {
    Object __more();
}

public enum ChronoUnit implements TemporalUnit {
    NANOS, MICROS, MILLIS, SECONDS, MINUTES, HOURS, DAYS, WEEKS, MONTHS, YEARS, DECADES, CENTURIES;
}
