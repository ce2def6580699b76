# make demo   set everything up, evaluate sample kernels and write a report, no GPU needed
# make test   the fast tests: all that are not marked `slow`
# make test-slow  the others: every attack and task, with and without source checks, long simulations
# make test-all   both
# make gpu    tests that need a GPU; `make gpu PYTHON=python3` uses that Python and installs nothing
# make certify       certify all tasks, with automatic mutants on one seed
# make certify-full  the same on 20 seeds; takes hours, and continues after a stop
# make check  format, lint, types, layers, index, words, links and tables of documents
# make docs   build the documentation as a site in site/ (installs mkdocs-material)
# make reference  write the generated parts of the documentation, after help texts or tables changed
# make index  write the facts of all tasks to catalog/index.json, after a task was changed
# make venv   only the environment
# make example-report  write a report of kernels timed on an H200; no GPU needed
# make site   build the app of the report (needs Node; users do not)

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
DEMO_RUN ?= runs/demo
EXAMPLE := examples/runs/h200_witnesses.sqlite.gz
JOBS ?= 2
# On a machine with a GPU nothing may be installed: a named Python is used as it is.
NAMED := $(findstring command,$(origin PYTHON))
GPU_PYTHON := PYTHONPATH="$(CURDIR)/src$${PYTHONPATH:+:$$PYTHONPATH}" $(if $(NAMED),$(PYTHON),$(BIN)/python)

# Tests and demo start hundreds of Pythons, and each of them would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: venv demo example-report test test-slow test-all certify certify-full gpu check docs reference index format site clean

venv: $(STAMP)

$(STAMP): pyproject.toml constraints-cpu.txt
	@echo "== building $(VENV): torch, triton and the tools; takes a few minutes"
	@echo "== README.md says how to get the CPU build of torch; the CUDA build is several gigabytes"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@# A torch that is already there, such as one for a GPU, is kept.
	@if $(BIN)/python -c "import torch, triton" 2>/dev/null; \
	then $(BIN)/python -m pip install --quiet -e '.[eval,dev]'; \
	else $(BIN)/python -m pip install --quiet -c constraints-cpu.txt -e '.[eval,dev]'; fi
	@touch $@

demo: $(STAMP)
	@$(BIN)/kbx demo --out $(DEMO_RUN)

example-report: $(STAMP)
	@echo "== kernels timed on an H200, from examples/runs"
	@$(BIN)/kbx report $(EXAMPLE) --out runs/h200-report

test: TESTS = fast tests on $(JOBS) cores
test: TIER = -m "not slow"
test-slow: TESTS = slow tests on $(JOBS) cores
test-slow: TIER = -m slow
test-all: TESTS = all tests on $(JOBS) cores
test test-slow test-all: $(STAMP)
	@command -v chromium >/dev/null || echo "== no chromium here: tests of the report in a browser will be skipped"
	@echo "== running the $(TESTS)"
	@# One process more than cores: many tests wait for other processes.
	@$(BIN)/python -m pytest -q $(TIER) -n $$(($(JOBS) + 1)) --dist worksteal

certify certify-full: SEEDS = $(if $(findstring full,$@),20,1)
certify certify-full: $(STAMP)
	@echo "== certifying all tasks, mutants on $(SEEDS) seeds; trials that are known are not repeated"
	@$(BIN)/kbx certify --device interpreter --jobs $(JOBS) --mutate --seeds $(SEEDS) --write

gpu: $(if $(NAMED),,$(STAMP))
	@$(GPU_PYTHON) -c "import sys, torch; sys.exit(not torch.cuda.is_available())" 2>/dev/null || \
	{ echo "== no GPU here, or no torch that can use it: nothing was tested" >&2; exit 2; }
	@echo "== running the tests that need a GPU"
	@# Plugins may be missing there, and another torch may warn of other things.
	@$(GPU_PYTHON) -m pytest -q -o addopts="-ra --import-mode=importlib" -o filterwarnings=default tests/gpu

check: $(STAMP)
	@echo "== format"; $(BIN)/ruff format --check .
	@echo "== lint"; $(BIN)/ruff check .
	@echo "== types"; $(BIN)/mypy
	@echo "== layers"; $(BIN)/lint-imports
	@echo "== index"; $(BIN)/python -m kernelbenchx.catalog.index --check
	@echo "== words"; $(BIN)/python scripts/check_words.py
	@echo "== links"; $(BIN)/python scripts/check_links.py
	@echo "== reference"; $(BIN)/python scripts/write_reference.py --check
	@echo "== catalogue"; $(BIN)/python scripts/write_catalogue.py --check

docs: $(STAMP)
	@$(BIN)/python -c "import material" 2>/dev/null || $(BIN)/python -m pip install --quiet -e '.[docs]'
	@$(BIN)/python scripts/check_links.py
	@echo "== building the documentation into site/"
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --clean --strict
	@echo "open site/index.html"

reference: $(STAMP)
	@$(BIN)/python scripts/write_reference.py
	@$(BIN)/python scripts/write_catalogue.py
	@$(BIN)/python scripts/write_generate_docs.py
	@$(BIN)/python scripts/run_tutorial.py --write

index: $(STAMP)
	@$(BIN)/python -m kernelbenchx.catalog.index

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

site:
	@echo "== building the app of the report"
	@cd src/kernelbenchx/report/site && npm ci --silent --no-fund --no-audit && npm run --silent build

clean:
	rm -rf $(VENV) runs
