# make demo: everything, in a few minutes. Works on a machine with Python >= 3.11 and a package index, nothing else.
# The first Python >= 3.11 that runs.
PYTHON ?= $(shell for py in python3 python3.13 python3.12 python3.11; do \
	$$py -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v $$py && break; done)
# Bytecode is kept, whatever the shell says: without it every process would compile everything again.
export PYTHONDONTWRITEBYTECODE =
VENV := .venv
BIN := $(VENV)/bin

# A room whose code is broken on purpose: make mutate ROOM=drift; all that have a floor without one.
ROOM ?=
SEED ?= 1

.PHONY: demo dev test check docs mutate setup clean

demo: setup ; @$(BIN)/crawloop demo
dev: setup ; @$(BIN)/crawloop dev
# Six at a time on two cores: most of a test of a real run is waiting for processes to start.
test: setup ; @$(BIN)/pytest -n 6 --dist loadfile --no-loadscope-reorder
check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry .
	$(BIN)/vulture
	$(BIN)/python -m checks.decisions
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build -q
# The documents as a site, in var/site.
docs: setup ; @NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build
mutate: setup ; @$(BIN)/python -m checks.mutate $(ROOM) --seed $(SEED)

setup: $(VENV)/.ready

$(VENV)/.ready: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Crawloop needs Python >= 3.11 on PATH (or: make PYTHON=/path/to/python)"; exit 1; }
	@echo "Setting up $(VENV) (once; a few minutes at most)"
	@if command -v uv >/dev/null 2>&1; then \
		uv venv -q --allow-existing --python "$(PYTHON)" $(VENV) && \
		uv pip install -q --python $(BIN)/python -c constraints.txt -e '.[dev]'; \
	else \
		"$(PYTHON)" -m venv $(VENV) && $(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'; \
	fi
	@# Every run is a process of its own: without bytecode each would compile Dagster again.
	@$(BIN)/python -m compileall -q -j 0 $(VENV)/lib crawloop_assets resources schemas >/dev/null || true
	@touch $@

clean: ; rm -rf $(VENV) var crawloop.duckdb .tmp_dagster_home_*
