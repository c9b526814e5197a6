# Ragtag Fleet. `make run` plays, `make test` proves; the README says more.
# Each step leaves a stamp, so that only what changed is done again.

# The first Python on this machine that is new enough; PYTHON=... chooses another.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
PORT ?= 8000
CORES := $(shell getconf _NPROCESSORS_ONLN)
# Parallel test processes of each kind. While tests of one kind wait for servers, those of another have the cores.
JOBS ?= $(CORES)

BIN := .venv/bin
DONE := build/done
CLIENT := $(shell find ccg/client/src ccg/client/public -type f 2>/dev/null) cards_data/keywords.json package.json vite.config.ts tsconfig.json
STATIC := $(shell find cards_data decks matches -path '*/static/*' -type f 2>/dev/null)

export PORT
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

.PHONY: help
help:
	@echo "make run     set everything up and serve on http://127.0.0.1:$(PORT)/  (PORT=8123 make run for another port)"
	@echo "make cluster  the same with PostgreSQL, Redis, several servers and workers, and nginx in front"
	@echo "make quick   half a minute of form, types and rules, to run after each change of the engine"
	@echo "make test    what every change has to pass: six to ten minutes on two cores"
	@echo "make test ALL=1  that, and what CI runs besides: a quarter of an hour"
	@echo "make compiled  compile the engine now (make run does it in the background)"
	@echo "make prove   kill, flood and fuzz servers of its own, for hours; docs/operating.md says what that shows"
	@echo "make proofs  the same in short, half an hour or more"
	@echo "make thorough  all tests at their full length, of which make test takes a sample: about an hour"
	@echo "make accessible  axe on every page in every size and theme"
	@echo "make pictures  every decision at the table in every size and theme, on sheets to look at"
	@echo "make bench   measure the engine, compiled and pure, and the computer player"
	@echo "make bench-builder  measure the deck builder in a real browser, with 351 cards and with 5,000"
	@echo "make format  bring all code into the agreed form"
	@echo "make words   write the words of all cards to docs/cards.md, after a change of cards or wording"
	@echo "make lock    choose new versions of the Python packages"

# ---- set-up ---------------------------------------------------------------------------------------

# pip is the last thing that venv makes: without it an earlier attempt was interrupted.
$(BIN)/pip:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed (python3, or PYTHON=/path/to/python)."; exit 1; }
	$(PYTHON) -m venv .venv

$(DONE)/python: requirements.lock | $(BIN)/pip
	@echo "Installing Python packages …"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	@mkdir -p $(DONE) && touch $@

$(DONE)/python-dev: requirements-dev.lock | $(BIN)/pip
	@echo "Installing Python packages, with the tools for tests …"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@mkdir -p $(DONE) && touch $@ $(DONE)/python $(DONE)/python-compile

# What compiles the engine; the tools for tests have it with them.
$(DONE)/python-compile: requirements-compile.lock | $(BIN)/pip
	@echo "Installing the compiler of the engine …"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements-compile.lock
	@mkdir -p $(DONE) && touch $@

$(DONE)/node: package.json package-lock.json
	@command -v npm >/dev/null || { echo "Node 20 or newer, with npm, is needed."; exit 1; }
	@echo "Installing the client's packages …"
	@npm ci --silent --no-audit --no-fund
	@mkdir -p $(DONE) && touch $@

$(DONE)/client: $(DONE)/node $(CLIENT)
	@echo "Building the client …"
	@npm run --silent build -- --logLevel warn
	@mkdir -p $(DONE) && touch $@

$(DONE)/static: $(DONE)/python $(DONE)/client $(STATIC)
	@$(BIN)/python manage.py collectstatic --noinput --clear --verbosity 0
	@touch $@

.PHONY: client setup
client: $(DONE)/client
setup: $(DONE)/static

# ---- playing --------------------------------------------------------------------------------------

# What is there serves at once; the engine is compiled beside it, unless it is already, for the next start.
.PHONY: run cluster compiled compiled-once
run: setup
	@$(BIN)/python manage.py prepare
	@nice -n 19 $(MAKE) --no-print-directory compiled >build/compiled.log 2>&1 &
	@exec $(BIN)/python manage.py serve

cluster: setup
	@nice -n 19 $(MAKE) --no-print-directory compiled >build/compiled.log 2>&1 &
	@exec $(BIN)/python manage.py cluster

compiled: $(DONE)/python $(DONE)/python-compile
	@$(BIN)/python -m ccg.native --profiled --if-possible --seconds 180

# For tests, which gain less from a faster engine than a second compilation, or a better one, takes.
compiled-once: $(DONE)/python $(DONE)/python-compile
	@$(BIN)/python -m ccg.native --if-possible --optimize 1 --seconds 600

# ---- proving --------------------------------------------------------------------------------------

# What several at a time say is shown when each of them is done.
TOGETHER := $(MAKE) --no-print-directory $(if $(filter output-sync,$(.FEATURES)),--output-sync)
# How often a test that failed with whole servers or browsers is tried again; CI does it once (docs/decisions/0012).
RERUNS ?= 0
AGAIN := --reruns $(RERUNS) -raR
# What CI tries besides `make test`: tests marked `ci`, and the engine in pure Python from end to end.
ALL ?=
LEFT_OUT := $(if $(ALL),thorough,(thorough or ci))
# Tests of one module stay in one process as far as they can, with what is set up for that module.
PYTEST := $(BIN)/pytest --dist worksteal

# Not by mypy's daemon: that cannot follow modules we skip (KeyError in dmypy_server), and mypy's cache is as fast.
.PHONY: quick quick-form quick-scenarios quick-rules
quick: export CCG_ENGINE := pure
quick: $(DONE)/python-dev
	@$(TOGETHER) -j3 quick-form quick-scenarios quick-rules

quick-form: $(DONE)/python-dev
	$(BIN)/ruff format --check --quiet
	$(BIN)/ruff check --quiet
	$(BIN)/mypy

quick-scenarios: $(DONE)/python-dev
	$(BIN)/python -m ccg.rules.scenario ccg/scenarios

quick-rules: $(DONE)/python-dev
	$(PYTEST) -q -n $(CORES) -m "not slow" --durations=5 --durations-min=2 tests/rules

# First what is quick to fail, beside the compiler. Then all Python tests, those with whole servers and those with
# browsers beside the others, as they mostly wait: that is faster even on two cores.
# One site is prepared for all tests; what an earlier run left may be older than the sources.
.PHONY: test test-setup test-collected test-style test-types test-layers test-client test-pure
.PHONY: test-python test-packages test-services test-browser test-services-told test-browser-told
test: export PREPARED_DATABASE := $(CURDIR)/build/prepared.sqlite3
# Hundreds of processes are started; each would compile our modules anew where the environment forbids to keep them.
test: export PYTHONDONTWRITEBYTECODE :=
test:
	@rm -f build/prepared.*
	@$(TOGETHER) -j2 $(DONE)/python-dev client
	@$(MAKE) --no-print-directory test-setup
	@$(TOGETHER) -j2 compiled-once test-collected test-style test-types test-layers test-client test-pure
	@$(MAKE) --no-print-directory -j3 test-python test-services-told test-browser-told

test-setup: $(DONE)/python-dev $(DONE)/static

# Keeps all test modules compiled, which takes twenty seconds: each of the processes that run them would do it by itself.
test-collected: $(DONE)/python-dev
	@$(BIN)/pytest --collect-only -q >build/collected.log || { cat build/collected.log; exit 1; }

test-style: $(DONE)/python-dev
	$(BIN)/ruff format --check
	$(BIN)/ruff check

test-types: $(DONE)/python-dev
	$(BIN)/mypy

test-layers: $(DONE)/python-dev
	$(BIN)/lint-imports --no-cache

test-client: $(DONE)/node
	npm run --silent lint
	npm run --silent typecheck
	npm test --silent $(if $(ALL),-- --isolate)

# Everything with the compiled engine (where there is a C compiler; on CI there must be one), and in pure Python what
# looks inside it; on CI also all scenarios and the engine's tests that are quick, as in `make quick`.
test-pure: export CCG_ENGINE := pure
test-pure: test-setup
ifdef ALL
	$(BIN)/python -m ccg.rules.scenario ccg/scenarios
endif
	$(PYTEST) -n $(JOBS) -m "$(if $(ALL),(not slow or pure_only),pure_only) and not $(LEFT_OUT)" tests/rules

# What needs neither a browser nor services, in parallel; what runs whole servers, one after another; each file of what
# looks into a browser in one of as many processes as there are cores. The browser's driver keeps an event loop running
# in its process, so its tests have some of their own. That all tests with these marks are in the folders named here is
# seen to in tests/conftest.py. One process more than cores, as Python tests wait too: for sockets, clocks, child processes.
test-python: test-setup compiled-once
	$(PYTEST) -n $$(($(JOBS) + 1)) -m "not browser and not full_profile and not proof and not $(LEFT_OUT)"

test-packages:
	@sh .ci/system-packages

test-services: test-setup test-packages
	$(PYTEST) $(AGAIN) -m "full_profile and not browser and not proof and not $(LEFT_OUT)" tests/matches tests/server

test-browser: test-setup test-packages
	$(PYTEST) $(AGAIN) -m "browser and not $(LEFT_OUT)" -n $(JOBS) --dist loadfile tests/browser

# All tests at their full length: examples, games, forms, sizes and themes of which `make test` takes a sample. An hour.
.PHONY: thorough
thorough: export AXE := all
thorough: export AT_LENGTH := 1
thorough: test-setup test-packages compiled-once
	$(PYTEST) -n $(JOBS) -m "not browser and not full_profile and not proof"
	$(PYTEST) -m "full_profile and not browser and not proof" tests/matches tests/server
	$(PYTEST) -m browser tests/browser

# Every page in every size and theme, a quarter of an hour; `make test` takes a sample, each page in one of them.
.PHONY: accessible
accessible: export AXE := all
accessible: test-setup test-packages
	$(PYTEST) -n $(JOBS) -m browser --timeout 5400 tests/browser/test_accessible.py

# What measures cannot say: whether it is good to look at. A quarter of an hour; the sheets are in build/pictures.
.PHONY: pictures
pictures: test-setup test-packages
	$(BIN)/python -m tests.browser.pictures

test-services-told test-browser-told: %-told: test-packages
	@$(MAKE) --no-print-directory $* >build/$*.log 2>&1; failed=$$?; cat build/$*.log; exit $$failed

.PHONY: bench
bench: $(DONE)/python-dev compiled
	$(BIN)/python tools/bench.py
	$(BIN)/python -m matches.players.duel

.PHONY: bench-builder
bench-builder: test-setup
	@sh .ci/system-packages
	$(BIN)/python tools/bench_builder.py

# The long forms, hours all in all. PROOFS="faults load" runs only those, PROFILE=full on PostgreSQL and Redis.
PROFILE ?= embedded
PROOFS ?= $(shell $(BIN)/python -c 'from ccg.server.proving.proof import PROOFS; print(*PROOFS)')
# All proofs in their short form, one after another: half an hour or more, so not part of `make test`.
.PHONY: proofs
proofs: test-setup compiled
	@sh .ci/system-packages
	$(BIN)/pytest -m proof tests/proving

.PHONY: prove
prove: setup compiled
	@failed=0; for name in $(PROOFS); do \
		told=$$($(BIN)/python manage.py prove $$name --profile $(PROFILE)) || failed=1; \
		echo "$$told" | tee -a build/proofs.jsonl; done; exit $$failed

# Rules broken one line at a time; minutes, so not part of `make test`, which only looks that the table fits.
.PHONY: mutations
mutations: $(DONE)/python-dev
	$(BIN)/python tools/mutations.py --write

# ---- keeping --------------------------------------------------------------------------------------

.PHONY: format
format: $(DONE)/python-dev $(DONE)/node
	$(BIN)/ruff check --fix --exit-zero
	$(BIN)/ruff format
	npm run --silent format

# One lock for every system and Python we run on, so not only for this one. No index is named in it.
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --upgrade
.PHONY: lock
lock: $(BIN)/pip
	$(BIN)/python -m pip install -qq --disable-pip-version-check uv
	$(LOCK) pyproject.toml --output-file requirements.lock
	$(LOCK) pyproject.toml --extra dev --constraint requirements.lock --output-file requirements-dev.lock
	$(LOCK) --group compile --constraint requirements-dev.lock --output-file requirements-compile.lock

# The words of all cards in one file, made from the card files.
.PHONY: words
words: $(DONE)/python
	$(BIN)/python manage.py card_words

.PHONY: clean
clean:
	rm -rf build ccg/client/dist node_modules .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
