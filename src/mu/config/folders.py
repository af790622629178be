"""The folders of the user's that MU has a part in, by the conventions of the platform."""

from pathlib import Path


def user_folder() -> Path:
    """Return the folder of the user's own settings, by the platform's conventions."""
    from platformdirs import user_config_path

    return user_config_path("mubase", appauthor=False)


def state_folder() -> Path:
    """Return the folder of what MU remembers for the user, by the platform's conventions."""
    from platformdirs import user_state_path

    return user_state_path("mubase", appauthor=False)


def cache_folder() -> Path:
    """Return the folder of what may be deleted at any time, by the platform's conventions."""
    from platformdirs import user_cache_path

    return user_cache_path("mubase", appauthor=False)
