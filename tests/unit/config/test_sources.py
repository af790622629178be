import os
from pathlib import Path

import pytest

from mu.config import ConfigError
from mu.config.sources import (
    read_environment,
    read_flags,
    read_repository_file,
    read_user_file,
)
from mu.errors import ExitCode


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("[bild]\njobs = 1", "mu.toml: unknown section 'bild'", "did you mean build?"),
        ("[zzz]", "mu.toml: unknown section 'zzz'", "known: build, query"),
        ("jobs = 1", "mu.toml: unknown section 'jobs'", "known: build, query"),
        ("[build]\nexlude = []", "mu.toml: [build] unknown key 'exlude'", "did you mean exclude?"),
        ("[query]\nrow = 1", "mu.toml: [query] unknown key 'row'", "did you mean rows?"),
        ("build = 3", "mu.toml: build must be a section, written [build]", ""),
    ],
)
def test_unknown_name_is_an_error_with_the_nearest(
    tmp_path: Path, text: str, message: str, hint: str
) -> None:
    (tmp_path / "mu.toml").write_text(text)

    with pytest.raises(ConfigError) as caught:
        read_repository_file(tmp_path)

    assert (caught.value.message, caught.value.hint) == (message, hint)
    assert caught.value.code is ExitCode.USAGE


@pytest.mark.parametrize(
    ("section", "line", "message"),
    [
        ("build", 'include = "src"', "include must be a list of strings, found 'src'"),
        ("build", "include = [1]", "include must be a list of strings, found [1]"),
        ("build", 'include = [""]', "include must be a list of strings, found ['']"),
        (
            "build",
            "max_file_size = true",
            "max_file_size must be a whole number from 1, found true",
        ),
        ("build", "max_file_size = 0", "max_file_size must be a whole number from 1, found 0"),
        ("build", "jobs = 1.5", "jobs must be a whole number from 0, found 1.5"),
        ("build", "jobs = {}", "jobs must be a whole number from 0, found a table"),
        ("query", "timeout = nan", "timeout must be a number of seconds above 0, found nan"),
        ("query", "timeout = inf", "timeout must be a number of seconds above 0, found inf"),
        ("query", "timeout = 0", "timeout must be a number of seconds above 0, found 0"),
        ("query", "rows = 2026-01-01", "rows must be a whole number from 1, found a date"),
    ],
)
def test_wrong_type_names_file_section_and_key(
    tmp_path: Path, section: str, line: str, message: str
) -> None:
    (tmp_path / "config.toml").write_text(f"[{section}]\n{line}")

    with pytest.raises(ConfigError) as caught:
        read_user_file(tmp_path)

    assert caught.value.message == f"config.toml: [{section}] {message}"


@pytest.mark.parametrize("folder", ["/etc", "../other", "a/../../b", "C:/x"])
def test_roots_stay_inside_the_repository(tmp_path: Path, folder: str) -> None:
    (tmp_path / "mu.toml").write_text(f"[build]\nroots = ['{folder}']")

    with pytest.raises(ConfigError, match="folders inside the repository"):
        read_repository_file(tmp_path)


@pytest.mark.parametrize(
    "content",
    [b"[build", b"\xff\xfe", b"a = " + b"[" * 20_000, b"a = " + b"9" * 10_000],
    ids=["cut off", "not utf-8", "nested deep", "huge number"],
)
def test_broken_toml_is_one_message_that_names_the_file(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "mu.toml").write_bytes(content)

    with pytest.raises(ConfigError, match=r"^mu\.toml: not valid TOML: "):
        read_repository_file(tmp_path)


def test_absent_file_gives_nothing(tmp_path: Path) -> None:
    assert read_repository_file(tmp_path) == {}


def test_repository_file_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("[query]\nrows = 1")
    (tmp_path / "mu.toml").symlink_to("elsewhere")

    with pytest.raises(ConfigError, match="cannot be read"):
        read_repository_file(tmp_path)


def test_user_file_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("[query]\nrows = 1")
    (tmp_path / "config.toml").symlink_to("elsewhere")

    assert read_user_file(tmp_path)["query.rows"].value == 1


def test_fifo_and_folder_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "mu.toml")
    (tmp_path / "config.toml").mkdir()

    with pytest.raises(ConfigError, match="not a regular file"):
        read_repository_file(tmp_path)
    with pytest.raises(ConfigError, match="not a regular file"):
        read_user_file(tmp_path)


def test_overlong_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mu.toml").write_text("#" * 65_537)

    with pytest.raises(ConfigError, match="larger than 65536 bytes"):
        read_repository_file(tmp_path)


@pytest.mark.parametrize("variable", ["MU_BUILD_JOB", "MU_QUERY_X", "MU_BULD_JOBS"])
def test_variable_that_resembles_a_setting_is_an_error(variable: str) -> None:
    with pytest.raises(ConfigError, match=f"unknown variable '{variable}'"):
        read_environment({variable: "1"})


def test_variables_of_other_programs_are_let_be() -> None:
    assert read_environment({"MU_HOME": "x", "MUSIC": "y", "PATH": "z"}) == {}


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("MU_BUILD_JOBS", "-1"),
        ("MU_BUILD_JOBS", "two"),
        ("MU_BUILD_JOBS", "9" * 5000),
        ("MU_QUERY_TIMEOUT", "soon"),
        ("MU_BUILD_ROOTS", "/etc"),
    ],
)
def test_variable_of_the_wrong_type_is_named(variable: str, text: str) -> None:
    with pytest.raises(ConfigError, match=f"environment: {variable} must be"):
        read_environment({variable: text})


def test_unknown_flag_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r"unknown setting 'build\.jbs'"):
        read_flags({"build.jbs": 2})
