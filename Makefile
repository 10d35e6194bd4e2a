# Everything these targets make stays in this directory. They need Python 3.11 or later, make and a shell.
# What a target needs is made two at a time, the longest first: types beside eslint.
MAKEFLAGS += --jobs=2
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
GAME ?= surrender
FAULTS ?= 240
#: One more than the cores of a small machine: some tests wait for a browser, or for nodes of their own.
WORKERS ?= 3
RESULTS := build/conformance.json
CORPUS := build/corpus.json.gz
KERNELS := build/kernels
COMPILED := build/compiled

export UV_CACHE_DIR ?= $(CURDIR)/.cache/uv
export PIP_CACHE_DIR ?= $(CURDIR)/.cache/pip
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Compiled once and kept: without it every process of the tests compiles everything again.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
UV := .uv/bin/uv
SOURCES := src tests tools $(if $(wildcard bench/*.py),bench)

#: What the pages are made from; node and npm are the virtual environment's.
WEB := $(wildcard web/*.json web/*.js web/*.ts web/*.html web/.npmrc) $(shell find web/src web/public -type f 2>/dev/null)
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm_config_cache="$(CURDIR)/.cache/npm" $(CURDIR)/$(BIN)/npm --prefix web --silent

.PHONY: help setup web web-check browser shots page-speed generated test check lint format types contract serve cluster play conformance bench faults rng mutants docs wheel lock clean

help: ## Show this list.
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) | while IFS='|' read -r name text; do printf '  %-13s%s\n' "$$name" "$$text"; done

setup: .venv/.stamp ## Make .venv from the lock; free when up to date.
	@:

.uv/.stamp: requirements-uv.lock
	rm -rf .uv
	$(PYTHON) -m venv .uv
	.uv/bin/pip install --quiet --require-hashes --only-binary :all: -r requirements-uv.lock
	@touch $@

.venv/.stamp: .uv/.stamp requirements.lock pyproject.toml
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv --without-pip .venv
	$(UV) pip sync --quiet --compile-bytecode --python $(BIN)/python --require-hashes --no-build requirements.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

web: web/.built ## Build the pages into web/dist; free when up to date.
	@:

web/node_modules/.stamp: web/package.json web/package-lock.json web/.npmrc | .venv/.stamp
	$(NPM) ci --no-audit --no-fund
	@touch $@

web/.built: web/node_modules/.stamp $(WEB)
	$(NPM) run build
	@touch $@

#: Each apart, so that two run at a time; only vitest waits for the corpus.
WEB_CHECKS := web/.checked-lint web/.checked-check web/.checked-test

web-check: $(WEB_CHECKS) ## The pages: eslint, svelte-check, vitest; free when up to date.
	@:

web/.checked-test: $(wildcard tests/golden/*.json) $(CORPUS)

$(WEB_CHECKS): web/.checked-%: web/node_modules/.stamp $(WEB)
	$(NPM) run $*
	@touch $@

#: Random rounds of every game with what the house shows after each event: the page's folds must show the same.
$(CORPUS): .venv/.stamp tests/golden/corpus.py tests/golden/bets.py tests/support/players.py tests/support/table.py $(wildcard tests/tables/live/at_random/*.py) \
		$(shell find src/sabot/engine src/sabot/games src/sabot/tables src/sabot/client -name '*.py')
	$(BIN)/python -m tests.golden.corpus $@

#: The loops that numba compiles, before the tests: else each process of a run compiles the same ones.
$(KERNELS): .venv/.stamp src/sabot/simulate/kernel.py src/sabot/simulate/monitored.py src/sabot/odds/kernel.py
	$(BIN)/sabot simulate surrender --rounds 1000 >/dev/null
	$(BIN)/sabot odds surrender --cards 8,8 --up 10 >/dev/null
	$(BIN)/sabot monitor-test surrender --bets insurance --houses 1 --days 1 >/dev/null
	$(BIN)/python -c 'from tests.simulate.compare import compare; compare("surrender", 1, "kernels")'
	@mkdir -p $(@D); touch $@

#: The tests compiled once, with what pytest makes of their assertions: else each worker of a first run compiles all of them.
$(COMPILED): .venv/.stamp
	$(BIN)/pytest --collect-only -qq >/dev/null
	@mkdir -p $(@D); touch $@

browser: /usr/bin/chromium-headless-shell ## Install Debian's Chromium where it is missing.
	@:

/usr/bin/chromium-headless-shell:
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends chromium-headless-shell fonts-dejavu-core >/dev/null

shots: setup web browser ## Pictures of every screen: docs/play/screens.md and docs/play/live-screens.md show them.
	$(BIN)/python -m tests.browser.pictures.shots docs/play/shots
	$(BIN)/python -m tests.browser.pictures.live_shots docs/play/live-screens

page-speed: setup web browser ## The first minute on a slow phone: time and presses to the first card, layout shift, long tasks, first load, frames.
	$(BIN)/python -m tests.browser.page_speed

generated: setup ## Write again what is generated: the client's types and texts, the best tables, the golden files.
	$(BIN)/python -m tools.web web/src
	$(BIN)/python -m tools.tables src/sabot/games/tables.py
	$(BIN)/python -m tools.main_results src/sabot/odds/main_results.py
	$(BIN)/python -m tests.golden

test: types web-check $(KERNELS) $(COMPILED) lint contract web browser ## Lint, types, import contract, every test, and no rule lost.
	$(BIN)/pytest -n $(WORKERS) --dist worksteal --conformance=$(RESULTS)
	@$(BIN)/python -m tests.conformance --quiet $(RESULTS)

#: No browser there, and nothing waits for long: as many workers as cores.
check: WORKERS = 2
check: types web-check $(KERNELS) $(COMPILED) lint contract web browser ## The fast half: as test, without the tests marked slow.
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not slow" --hypothesis-profile=some --ignore=tests/browser

lint: setup ## Ruff: rules and format.
	$(BIN)/ruff check
	$(BIN)/ruff format --check

format: setup ## Let ruff repair and format the sources.
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: setup ## Mypy, strict.
	$(BIN)/mypy $(SOURCES)

contract: setup ## Import-linter: nothing points up, the core is pure.
	$(BIN)/lint-imports --no-logo --cache-dir .cache/import-linter

serve: setup web ## Open the house: the server and the pages on one port.
	$(BIN)/sabot serve

cluster: setup web ## A house of three nodes on this machine, behind a load balancer: PostgreSQL and NATS from wheels.
	$(BIN)/python -m tools.cluster

play: setup ## Play in the terminal: make play GAME=surrender
	$(BIN)/sabot play $(GAME)

conformance: setup ## Run the tests and print rule, tests, verdict; UPDATE=1 records what is newly proved.
	@rm -f $(RESULTS); status=0; $(BIN)/pytest -n $(WORKERS) --dist worksteal -q --conformance=$(RESULTS) || status=$$?; \
	$(BIN)/python -m tests.conformance $(if $(UPDATE),--update) $(RESULTS) && exit $$status

bench: setup ## Run every bench/*.py whose name does not begin with an underscore.
	@for file in bench/[!_]*.py; do [ -e "$$file" ] || continue; echo "== $$file"; $(BIN)/python "$$file"; done

faults: setup web browser ## Crashes drawn from random seeds, random properties of the ledger, kills, a crowd of 2,000, whole shoes of a studio.
	$(BIN)/python -m tests.faults --seconds $(FAULTS)
	$(BIN)/python -m tests.faults --live --seconds $(FAULTS)
	$(BIN)/python -m tests.faults --nodes --seconds $(FAULTS)
	$(BIN)/python -m tests.faults.live.reloading --seconds 60
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -q --hypothesis-profile=random tests/store tests/tables/live/at_random/test_anything.py \
		tests/server/http/test_openapi.py tests/engine/test_against_oracle.py
	$(BIN)/python -m tests.faults.killing --kills 50
	$(BIN)/python -m tests.faults.serving --kills 50
	$(BIN)/python -m tests.faults.planting
	$(BIN)/python -m tests.faults.losing --times 5
	$(BIN)/python -m tests.faults.nodes.campaign --faults 200
	$(BIN)/python -m tests.faults.nodes.campaign --faults 24 --bus notify
	$(BIN)/python -m tests.faults.nodes.rolling
	$(BIN)/python -m tests.faults.nodes.rolling --next --solo 30 --live 100
	$(BIN)/python -m tests.faults.losses --seconds $(FAULTS)
	$(BIN)/python -m tests.faults.nodes.losses --seconds 60
	$(BIN)/python -m tests.faults.live.killing --kills 3
	$(BIN)/python -m tests.faults.hostile --frames 3000 --requests 3000
	$(BIN)/python -m tests.faults.live.load --players 2000 --rounds 3
	$(BIN)/python -m tests.faults.live.closing --players 1000
	$(BIN)/python -m tests.faults.connections
	$(BIN)/pytest -q tests/faults/live/test_live_serving.py
	$(BIN)/python -m tests.browser.support.whole_shoe

rng: setup ## The million shoes of docs/play/rng-test.txt again: the same verdicts.
	$(BIN)/python -m tests.fairness.kept

mutants: setup ## Mutation testing of the engine and the games.
	$(BIN)/python -m tools.mutants
	$(BIN)/mutmut results

#: All pages are read anew each time: a page with a warning fails the next run too.
docs: setup ## Build the site of the documents, with the reference of the Python packages, into build/docs.
	$(BIN)/python -m sphinx -q -E -W --keep-going docs build/docs

wheel: setup web ## Build the wheel into dist/.
	$(UV) build --quiet --wheel --no-build-isolation --python $(BIN)/python --out-dir dist .
	@ls dist/*.whl

lock: .uv/.stamp ## Renew requirements.lock; LOCK="--upgrade" takes newer versions.
	$(UV) pip compile pyproject.toml --group dev --universal --python-version 3.11 --no-build \
		--generate-hashes --no-header --quiet $(LOCK) --output-file requirements.lock
	@! grep -nE 'https?:|file:|^-' requirements.lock requirements-uv.lock

clean: ## Remove everything these targets made.
	rm -rf .venv .uv .cache build dist mutants .hypothesis web/node_modules web/dist web/.built web/.checked*
	find src tests tools bench -name __pycache__ -type d -prune -exec rm -rf {} +
