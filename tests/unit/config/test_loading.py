from collections.abc import Mapping
from pathlib import Path

import pytest

from mu import config
from mu.config import ConfigError, Configuration, Value


def _load(
    folder: Path,
    *,
    repository: str | None = None,
    user: str | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, Value | None] | None = None,
) -> Configuration:
    root, own = folder / "root", folder / "own"
    for place, name, text in ((root, "mu.toml", repository), (own, "config.toml", user)):
        place.mkdir(exist_ok=True)
        if text is not None:
            (place / name).write_text(text, encoding="utf-8")
    return config.load(root, environment=environment or {}, user_folder=own, flags=flags or {})


def test_without_any_source_every_value_is_the_default(tmp_path: Path) -> None:
    rows = config.describe(_load(tmp_path))

    assert [(row.name, row.value, row.origin) for row in rows] == [
        (key.name, key.default, "default") for key in config.KEYS
    ]


def test_each_source_overrides_the_weaker_ones(tmp_path: Path) -> None:
    places = {
        "repository": "[query]\nrows = 10",
        "user": "[query]\nrows = 20",
        "environment": {"MU_QUERY_ROWS": "30"},
        "flags": {"query.rows": 40},
    }
    seen = []
    for count in range(1, len(places) + 1):
        chosen = dict(list(places.items())[:count])
        loaded = _load(tmp_path, **chosen)  # type: ignore[arg-type]  # one folder, more each time
        seen.append((loaded.settings.query.rows, str(loaded.origins["query.rows"])))

    assert seen == [
        (10, "repository file mu.toml"),
        (20, "user file config.toml"),
        (30, "environment MU_QUERY_ROWS"),
        (40, "flag"),
    ]


def test_sources_are_joined_key_by_key(tmp_path: Path) -> None:
    settings = _load(
        tmp_path,
        repository='[build]\nexclude = ["docs/"]\nroots = ["src"]',
        user="[build]\njobs = 3",
        environment={"MU_BUILD_LANGUAGES": "python, go"},
        flags={"build.max_file_size": 5_000_000},
    ).settings

    assert settings.build.exclude == ("docs/",)
    assert settings.build.roots == ("src",)
    assert settings.build.jobs == 3
    assert settings.build.languages == ("python", "go")
    assert settings.build.max_file_size == 5_000_000


def test_flags_that_were_not_given_override_nothing(tmp_path: Path) -> None:
    loaded = _load(
        tmp_path,
        user='[build]\njobs = 3\nexclude = ["a"]',
        flags={"build.jobs": None, "build.exclude": ()},
    )

    assert (loaded.settings.build.jobs, loaded.settings.build.exclude) == (3, ("a",))


def test_flag_of_zero_is_given(tmp_path: Path) -> None:
    loaded = _load(tmp_path, user="[build]\njobs = 3", flags={"build.jobs": 0})

    assert loaded.settings.build.jobs == 0


def test_variable_set_to_nothing_overrides_nothing(tmp_path: Path) -> None:
    loaded = _load(tmp_path, user="[build]\njobs = 3", environment={"MU_BUILD_JOBS": " "})

    assert loaded.settings.build.jobs == 3


def test_described_rows_say_where_each_value_came_from(tmp_path: Path) -> None:
    rows = config.describe(_load(tmp_path, environment={"MU_QUERY_TIMEOUT": "2.5"}))

    [timeout] = [row for row in rows if row.name == "query.timeout"]
    assert (timeout.value, timeout.origin) == (2.5, "environment MU_QUERY_TIMEOUT")


@pytest.mark.parametrize("line", ["max_file_size = 2_000_001", "jobs = 1"])
def test_repository_may_not_widen_a_build(tmp_path: Path, line: str) -> None:
    with pytest.raises(ConfigError, match=r"mu.toml: a repository may (only lower|not set) build"):
        _load(tmp_path, repository=f"[build]\n{line}")


@pytest.mark.parametrize("line", ["timeout = 31", "rows = 1001"])
def test_repository_may_not_widen_a_query(tmp_path: Path, line: str) -> None:
    with pytest.raises(ConfigError, match="may only lower query") as caught:
        _load(tmp_path, repository=f"[query]\n{line}")

    assert "MU_QUERY_" in caught.value.hint


def test_repository_may_lower(tmp_path: Path) -> None:
    loaded = _load(tmp_path, repository="[build]\nmax_file_size = 10\n[query]\ntimeout = 1")

    assert (loaded.settings.build.max_file_size, loaded.settings.query.timeout) == (10, 1.0)


def test_user_who_allows_more_is_not_hindered_by_the_repository(tmp_path: Path) -> None:
    loaded = _load(
        tmp_path, repository="[query]\nrows = 5000", environment={"MU_QUERY_ROWS": "9000"}
    )

    assert loaded.settings.query.rows == 9000
