# The few commands of this project; written for GNU make 3.81.

VENV := .venv
BIN := $(VENV)/bin
# Written last: without it the environment does not count as built, whatever else is there.
STAMP := $(VENV)/.complete
# The search vendors' own packages are large and needed by the whole gate alone.
CLIENTS := $(VENV)/.clients
PLUGIN_FILES := $(wildcard plugins/*/pyproject.toml plugins/*/*/pyproject.toml)
PLUGINS := $(sort $(dir $(PLUGIN_FILES)))
# Packages build under dist/; the tests of what is shipped take them from there.
DIST := dist

.PHONY: help demo test check lint docs build clean

help:
	@echo 'make demo    build the environment and show what the library does, offline'
	@echo 'make check   lint, types, core and presets; no system package needed'
	@echo 'make test    everything: lint, types, core, plugins, docs, build, the built wheel'
	@echo 'make lint    ruff and mypy'
	@echo 'make docs    write the generated reference pages and run every example of the docs'
	@echo 'make build   source distribution and wheel of the core under $(DIST)/'
	@echo 'make clean   remove the environment and everything that was built'

demo: $(STAMP)
	@$(BIN)/websdk demo

check: lint
	$(BIN)/python -m pytest -n 2 --dist loadgroup tests --ignore tests/packaging

test: lint build $(CLIENTS)
	WEBSDK_DIST=$(DIST) $(BIN)/python -m pytest -n 2 --dist loadgroup

$(CLIENTS): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[clients,officials]'
	@touch $@

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(STAMP)
	$(BIN)/python docs/generate.py
	$(BIN)/python -m pytest tests/docs

build: $(STAMP)
	rm -rf $(DIST) build
	$(BIN)/python -m build --outdir $(DIST) .

clean:
	rm -rf $(VENV) $(DIST) build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find . -name '*.egg-info' -type d -prune -exec rm -rf {} +

# The first Python that is new enough; asked by running it, because a name on the path may be a stub.
$(STAMP): pyproject.toml $(PLUGIN_FILES)
	@rm -rf $(VENV); \
	python=; \
	for candidate in "$$PYTHON" python3.14 python3.13 python3.12 python3.11 python3; do \
	  if [ -n "$$candidate" ] && \
	     "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; \
	  then python=$$candidate; break; fi; \
	done; \
	if [ -z "$$python" ]; then \
	  echo 'No Python from 3.11 on was found. Install one, or name it: make PYTHON=/path/to/python3.12' >&2; \
	  exit 1; \
	fi; \
	if ! "$$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then \
	  echo "$$python cannot make environments. Debian, Ubuntu: apt install python3-venv" >&2; \
	  exit 1; \
	fi; \
	echo "Building $(VENV) with $$("$$python" --version), once"; \
	"$$python" -m venv $(VENV) && \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  --editable '.[testing,pdf,dev]' $(patsubst %/,--editable ./%,$(PLUGINS)) && \
	touch $(STAMP) || { \
	  rm -rf $(VENV); \
	  echo 'The environment could not be built; the reason stands above. Nothing half-built is left.' >&2; \
	  exit 1; \
	}
