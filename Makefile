# Everything runs in .venv, which is made on first use from any Python >= 3.11 that is found.
# Another one: make PYTHON=/path/to/python3.13 test

PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { echo $$name; break; }; done)
BIN := .venv/bin
ENVIRONMENT := .venv/installed

# Compiled modules are kept, or each of a thousand processes of the tests compiles its own.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-long check lint docs bench soak conformance clean

demo: $(ENVIRONMENT)  ## build two graphs and ask them questions
	@PATH="$(CURDIR)/$(BIN):$$PATH" bash scripts/demo.sh

test: $(ENVIRONMENT)  ## the whole test suite, with few examples of each property
	$(BIN)/pytest --numprocesses auto --maxprocesses 8 --dist worksteal

test-long: $(ENVIRONMENT)  ## the same with many examples, and what is marked long
	$(BIN)/pytest --numprocesses auto --maxprocesses 8 --dist worksteal \
		--hypothesis-profile=long --texts 7000 --long

check: lint test  ## what CI runs; pytest comes last, so that its closing line is the last one

lint: $(ENVIRONMENT)  ## format, lint, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(ENVIRONMENT)  ## write the reference pages that are made from the code
	$(BIN)/python scripts/write_reference.py
	$(BIN)/python -m tests.corpora.judging.support

bench: $(ENVIRONMENT)  ## the benchmarks; minutes, and best on an idle machine
	$(BIN)/python -m benchmarks

soak: $(ENVIRONMENT)  ## killed builds, full disks, damaged files, many processes; minutes
	$(BIN)/python -m benchmarks soak

conformance: $(ENVIRONMENT)  ## the official MCP inspector and scenarios; needs npm's registry
	$(BIN)/python -m benchmarks.conformance

clean:  ## remove all that the other targets made
	rm -rf .venv .demo .bench build dist .mubase .mypy_cache .ruff_cache .pytest_cache \
		.hypothesis .import_linter_cache

# Dependency groups need pip 25.1; the pip that comes with an older Python does not know them.
$(ENVIRONMENT): pyproject.toml
	@test -n "$(PYTHON)" || { echo "no Python >= 3.11 found; name one: make PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --no-compile --editable . --group dev
	@touch $@
