# Each target makes .venv by itself; nothing but python3 is needed.
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/installed
READY := .venv/ready
DOCS := .venv/docs
STUDIO := .venv/studio
BROWSER := .venv/browser
CLUSTER := .venv/cluster

.PHONY: demo studio test test-all fuzz lint bench reports docs clean

demo: $(INSTALLED)  ## solve one puzzle of each kind and show boards and statistics
	@$(BIN)/python examples/demo.py

studio: $(STUDIO)  ## solve and play puzzles in the browser
	$(BIN)/procura studio

# Three workers on two cores: the tests of terminals and processes mostly wait.
test: $(READY) lint  ## everything but the slow tests
	$(BIN)/python -m pytest -n 3 -m "not slow"

test-all: $(READY) $(DOCS) $(BROWSER) $(CLUSTER) lint  ## the slow tests as well
	$(BIN)/python -m pytest -n 3 $(if $(PYTEST_MARK),-m $(PYTEST_MARK))

fuzz: $(READY)  ## a million random searches, and texts; RUNS=, SECONDS=, SEED=, EXAMPLES= and FUZZ="--keep-going" say otherwise
	PYTHONPATH=tests PROCURA_CACHE=$${PROCURA_CACHE-.pytest_cache/procura} $(BIN)/python -m fuzz --runs $(or $(RUNS),1e6) \
	  $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED)) $(FUZZ)
	PROCURA_FUZZ_EXAMPLES=$(or $(EXAMPLES),2000) PROCURA_FUZZ_SEED=$(or $(SEED),0) \
	  $(BIN)/python -m pytest -n 2 tests/fuzz/test_readers.py

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

$(INSTALLED): pyproject.toml
	@echo "Installing procura and what it needs in .venv; once, about half a minute ..."
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --disable-pip-version-check -e .
	@touch $@

$(READY): $(INSTALLED)
	@echo "Installing the development tools in .venv; once ..."
	$(BIN)/pip install --disable-pip-version-check -e '.[dev]'
	@touch $@

$(DOCS): $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[docs]'
	touch $@

$(STUDIO): $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[studio]'
	touch $@

# The tests in a browser are skipped where this, or Chromium, cannot be had.
$(BROWSER): $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[browser]' || echo 'no Playwright: tests in a browser are skipped'
	touch $@

# The tests of clusters are skipped where this cannot be had.
$(CLUSTER): $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[cluster]' || echo 'no dask: tests of clusters are skipped'
	touch $@

clean:
	rm -rf .venv site .mypy_cache .ruff_cache .pytest_cache .hypothesis benchmarks/native/build
