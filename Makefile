# Each target makes .venv by itself; nothing but python3 is needed.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
DOCS := .venv/docs

.PHONY: demo test test-all lint bench reports docs clean

demo: $(READY)  ## solve one puzzle of each kind and show boards and statistics
	$(BIN)/python examples/demo.py

# Three workers on two cores: the tests of terminals and processes mostly wait.
test: $(READY) lint  ## everything but the slow tests
	$(BIN)/python -m pytest -n 3 -m "not slow"

test-all: $(READY) $(DOCS) lint  ## the slow tests as well
	$(BIN)/python -m pytest -n 3 $(if $(PYTEST_MARK),-m $(PYTEST_MARK))

lint: $(READY)  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)  ## measure against C++, simpleai and ourselves; see benchmarks/README.md
	$(BIN)/pip install --quiet -e '.[bench]'
	$(BIN)/python benchmarks/run.py

reports: $(READY)  ## docs/reports anew from the results of the studies
	$(BIN)/python studies/write_reports.py

docs: $(DOCS)  ## the documentation as a site, in site/
	$(BIN)/python tools/site/command_line.py
	$(BIN)/python tools/site/build.py

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

$(DOCS): $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[docs]'
	touch $@

clean:
	rm -rf .venv site .mypy_cache .ruff_cache .pytest_cache .hypothesis benchmarks/native/build
