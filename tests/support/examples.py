"""How many examples a property is tried with, as shares of what the profile says."""

from hypothesis import HealthCheck, settings


def examples(share: float) -> settings:
    """Try a share of the profile's examples, however long one takes or how large it is."""
    count = max(int(settings.default.max_examples * share), 1)
    return settings(max_examples=count, suppress_health_check=list(HealthCheck))
