"""What a trace holds: every call between two functions of the tree, and by what it came."""

from pathlib import Path

import pytest
from benchmarks.accuracy.tracing import Trace, TraceError, read_trace, trace_program

ENTRIES = {
    ("<module>", "consume", "direct"),
    ("<module>", "operators", "direct"),
    ("<module>", "through_c", "direct"),
    ("<module>", "others", "direct"),
    ("<module>", "traced", "direct"),
    ("<module>", "named", "direct"),
    ("<module>", "named.<locals>.apply", "direct"),
    ("Basket", "leaf", "direct"),
}


def pairs(trace: Trace, caller: str) -> set[tuple[str, str]]:
    return {
        (pair.callee.qualified_name, pair.how)
        for pair in trace.pairs
        if pair.caller.qualified_name == caller
    }


def test_callers_are_these_and_no_others(trace: Trace) -> None:
    callers = {pair.caller.qualified_name for pair in trace.pairs}

    assert {
        (pair.caller.qualified_name, pair.callee.qualified_name, pair.how)
        for pair in trace.pairs
        if pair.caller.name in ("<module>", "Basket")
    } == ENTRIES
    assert callers == {
        *("<module>", "Basket", "consume", "operators", "through_c", "others", "hand_on"),
        *("numbers", "Basket.__init__", "Basket.__call__", "Basket.total", "Crate.add"),
        *("traced.<locals>.wrapper", "decorated", "<lambda>", "opened"),
        *("through_c.<locals>.<lambda>", "others.<locals>.<genexpr>"),
    }


def test_generator_belongs_to_who_called_it_and_not_to_who_resumes_it(trace: Trace) -> None:
    assert pairs(trace, "hand_on") == {("numbers", "direct")}
    assert pairs(trace, "consume") == {("hand_on", "direct")}
    assert [p.count for p in trace.pairs if p.callee.name == "numbers"] == [1]


def test_implicit_calls_are_told_by_their_instruction(trace: Trace) -> None:
    found = dict(pairs(trace, "operators"))

    assert found["Basket.__init__"] == "constructor"
    assert found["Basket.__call__"] == "object"
    assert found["Basket.total"] == "LOAD_ATTR"
    assert found["Basket.__add__"] == "BINARY_OP"
    assert {"Basket.__enter__", "Basket.__exit__", "Basket.__iter__"} < set(found)
    assert found["Basket.__iter__"] != "direct"


def test_call_by_c_code_has_the_caller_of_that_code(trace: Trace) -> None:
    assert pairs(trace, "through_c") == {("leaf", "c"), ("through_c.<locals>.<lambda>", "c")}
    assert [p.count for p in trace.pairs if p.how == "c" and p.callee.name == "leaf"] == [3]


def test_call_with_other_python_code_in_between_is_told_apart(trace: Trace) -> None:
    assert ("opened", "library") in pairs(trace, "others")


def test_wrapper_is_called_and_calls_what_it_wraps(trace: Trace) -> None:
    assert ("traced.<locals>.wrapper", "direct") in pairs(trace, "others")
    assert pairs(trace, "traced.<locals>.wrapper") == {("decorated", "direct")}


def test_lines_tell_what_was_called_by_name(trace: Trace) -> None:
    called = {
        call.called if isinstance(call.called, str) else call.called.qualified_name
        for call in trace.calls
        if call.caller.qualified_name == "through_c"
    }

    assert called == {"class builtins.list", "class builtins.map", "c sorted", "c list.sort"}


def test_functions_of_the_same_text_in_two_files_are_two(interpreter: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text("def same():\n    pass\n", encoding="utf-8")
    program = "import one, two\none.same()\ntwo.same()\n"
    (tmp_path / "main.py").write_text(program, encoding="utf-8")

    trace = trace_program(interpreter, tmp_path, tmp_path / "trace.json.gz", ["main.py"])

    assert {pair.callee.path for pair in trace.pairs} == {"one.py", "two.py"}


def test_trace_reads_as_it_was_written(interpreter: str, project: Path, tmp_path: Path) -> None:
    output = tmp_path / "trace.json.gz"

    trace = trace_program(interpreter, project, output, ["main.py"])

    assert read_trace(output) == trace


def test_settings_of_another_python_are_not_passed_on(
    interpreter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "stray.py").write_text("", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(elsewhere))
    (tmp_path / "main.py").write_text("import stray\n", encoding="utf-8")

    with pytest.raises(TraceError, match="No module named 'stray'"):
        trace_program(interpreter, tmp_path, tmp_path / "trace.json.gz", ["main.py"])


def test_program_that_cannot_run_is_an_error_with_its_last_lines(
    interpreter: str, project: Path, tmp_path: Path
) -> None:
    with pytest.raises(TraceError, match="No module named nothing_here"):
        trace_program(interpreter, project, tmp_path / "t.json.gz", ["-m", "nothing_here"])


def test_a_script_in_a_folder_imports_what_stands_beside_it(
    interpreter: str, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    (tree / "checks").mkdir(parents=True)
    (tree / "checks" / "beside.py").write_text("def leaf():\n    return 1\n", encoding="utf-8")
    script = "import beside\n\n\ndef run():\n    beside.leaf()\n\n\nrun()\n"
    (tree / "checks" / "all.py").write_text(script, encoding="utf-8")

    trace = trace_program(interpreter, tree, tmp_path / "seen.gz", ["checks/all.py"])

    assert pairs(trace, "run") == {("leaf", "direct")}
