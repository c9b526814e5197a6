# Ragtag Fleet. `make run` plays, `make test` proves; the README says more.
# Each step leaves a stamp, so that only what changed is done again.

# The first Python on this machine that is new enough; PYTHON=... chooses another.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
PORT ?= 8000
# Parallel test processes.
JOBS ?= auto

BIN := .venv/bin
DONE := build/done
CLIENT := $(shell find ccg/client/src ccg/client/public -type f 2>/dev/null) cards_data/keywords.json package.json vite.config.ts tsconfig.json
STATIC := $(shell find cards_data/static decks/static matches/static -type f 2>/dev/null)

export PORT
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

.PHONY: help
help:
	@echo "make run     set everything up and serve on http://127.0.0.1:$(PORT)/  (PORT=8123 make run for another port)"
	@echo "make test    everything that CI runs"
	@echo "make bench   measure the engine and the computer player"
	@echo "make format  bring all code into the agreed form"
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
	@mkdir -p $(DONE) && touch $@ $(DONE)/python

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

.PHONY: run
run: setup
	@$(BIN)/python manage.py prepare
	@exec $(BIN)/python manage.py serve

# ---- proving --------------------------------------------------------------------------------------

.PHONY: test test-setup test-style test-types test-layers test-client test-python test-system
test: test-style test-types test-layers test-client test-python test-system

test-setup: $(DONE)/python-dev $(DONE)/static

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
	npm test --silent

# What needs neither a browser nor services, in parallel; then what runs whole servers, one after another.
# The browser's driver keeps an event loop running in its process, so its tests have one of their own.
test-python: test-setup
	$(BIN)/pytest -n $(JOBS) -m "not browser and not full_profile"

test-system: test-setup
	@sh .ci/system-packages
	$(BIN)/pytest -m "full_profile and not browser"
	$(BIN)/pytest -m browser

.PHONY: bench
bench: $(DONE)/python-dev
	$(BIN)/python tools/bench.py
	$(BIN)/python -m matches.players.duel

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

.PHONY: clean
clean:
	rm -rf build ccg/client/dist node_modules .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
