from mu.errors import ExitCode, MuError


def test_exit_statuses_keep_their_numbers() -> None:
    assert {code.name: code.value for code in ExitCode} == {
        "OK": 0,
        "FAILED": 1,
        "USAGE": 2,
        "NO_GRAPH": 3,
        "NO_NODE": 4,
        "PARTIAL": 5,
        "BUSY": 6,
    }


def test_error_holds_what_happened_what_to_do_and_its_status() -> None:
    error = MuError("no graph here", "run mu kernel build", ExitCode.NO_GRAPH)

    assert str(error) == error.message == "no graph here"
    assert (error.hint, error.code) == ("run mu kernel build", ExitCode.NO_GRAPH)


def test_error_without_more_to_say_has_no_hint_and_fails() -> None:
    error = MuError("disk full")

    assert (error.hint, error.code) == ("", ExitCode.FAILED)
