# Everything runs from .venv, which the first command makes. PYTHON names the interpreter to make it with.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHARED ?= $(or $(TOKCONF_SHARED),../shared)
CHECKPOINTS := gpt2 bert-base-uncased bert-base-cased xlnet-base-cased roberta-base t5-small albert-base-v1 camembert-base google-fnet-base

.PHONY: report test test-slow lint format checkpoints benchmark clean

# Exit status 1 says that differences were found and reported: the report is made, so the target is.
report: $(VENV)/installed  ## compare all implementations on the bundled tokenizers
	$(BIN)/tokconf run --markdown reports/bundled.md || test $$? -eq 1

test: $(VENV)/installed  ## the default tests
	$(BIN)/python -m pytest -n auto

test-slow: $(VENV)/installed  ## every test, the exhaustive ones included
	$(BIN)/python -m pytest -n auto -m "slow or not slow"

lint: $(VENV)/installed  ## linter, formatter, type checker, import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

checkpoints: $(VENV)/installed  ## reference against tokenizers on the real checkpoints and texts of SHARED
	$(BIN)/tokconf run $(addprefix $(SHARED)/tokenizers/,$(CHECKPOINTS)) -i reference -i tokenizers --inputs $(wildcard $(SHARED)/texts/*.txt)

benchmark: $(VENV)/installed  ## time of the reference over time of tokenizers
	$(BIN)/python benchmarks/encode_speed.py $(addprefix $(SHARED)/tokenizers/,$(CHECKPOINTS)) --text $(SHARED)/texts/pride_and_prejudice.txt

clean:
	rm -rf $(VENV)

$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev]"
	touch $@
