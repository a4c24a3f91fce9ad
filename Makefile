# What to do with a clone. `make` alone lists the targets.

VENV ?= .venv
BENCH_ARGS ?=
DEMO_ARGS ?=
FAULTS ?= short
PYTEST_ARGS ?=
# `make lint` has the tests that only read the code, `make test` those that take long;
# plain `pytest` and plain `colcon test` run them all.
COLCON_PYTEST_ARGS ?= -m "not slow and not linter"

python := $(VENV)/bin/python
installation := setup.py pyproject.toml .ci/environment
linters := $(patsubst %,test/test_%.py,copyright flake8 mypy pep257 xmllint)
# One name for each kind of ROS, so that sourcing a distribution makes the environment anew.
ready := $(VENV)/ready-$(or $(ROS_DISTRO),pypi)
colcon := $(python) -c 'import sys; from colcon_core.command import main; sys.exit(main())' \
	--log-base .colcon/log

export PYTHON
export ROS_LOG_DIR ?= $(CURDIR)/.cache/ros_log
# Demo and tests send efforts: they must not reach a robot in the same network.
export ROS_AUTOMATIC_DISCOVERY_RANGE ?= LOCALHOST

.PHONY: help env demo test bench bench-full test-faults test-jazzy lint format colcon clean

help:
	@echo 'make demo     two simulated arms hold themselves and follow a trajectory'
	@echo 'make test     all tests of what it does; PYTEST_ARGS="-k model -x" chooses'
	@echo 'make test-faults   inject faults, write docs/reliability.md; FAULTS=long takes 45 minutes'
	@echo 'make test-jazzy    the RP arm and the control loop with ROS 2 Jazzy from PyPI, in .venv-jazzy/'
	@echo 'make bench    measure against others, about 3 minutes; BENCH_ARGS="--parts K" chooses'
	@echo 'make bench-full    the same for the record, docs/performance.md; takes half an hour'
	@echo 'make lint     format, style, docstrings, types'
	@echo 'make format   repair what a machine can repair of these'
	@echo 'make colcon   build and test the package with colcon, in .colcon/'
	@echo 'make env      only make the environment, in $(VENV)/ (PYTHON=... chooses the Python)'
	@echo 'make clean    remove all that these made'

env: $(ready)-test

demo: $(ready)
	@$(VENV)/bin/robot_dynamics demo $(DEMO_ARGS)

test: $(ready)-test
	@$(python) -m pytest --timeout=300 -n 2 --dist loadgroup -m "not linter" $(PYTEST_ARGS)

# `make test` injects as many as the short form does. Here there are no second tries: what failed
# once has no row in the report. A part, as with PYTEST_ARGS='-k kill', leaves the other rows.
test-faults: $(ready)-test
	@FAULTS_REPORT=docs/reliability.md FAULTS=$(FAULTS) \
		$(python) -m pytest -p no:rerunfailures $(PYTEST_ARGS) $(sort $(wildcard test/test_faults_*.py))

test-jazzy: .venv-jazzy/ready
	@.venv-jazzy/bin/python -m pytest --timeout=300 test/test_scenarios.py \
		-k "gravity_at_rest-rp_arm or follows_a_sine-rp_arm"
	@.venv-jazzy/bin/python -m pytest --timeout=300 \
		$(patsubst %,test/test_%.py,control_loop held_up messages realtime serialized_messages)

bench: $(ready)-test
	@$(python) benchmarks $(BENCH_ARGS)

bench-full: $(ready)-test
	@$(python) benchmarks --full --output docs/performance.json $(BENCH_ARGS)
	@$(python) benchmarks/report.py

lint: $(ready)-test
	@$(python) -m ruff format --check . || \
		{ echo 'Repair the format with: make format' >&2; exit 1; }
	@$(python) -m pytest --quiet $(linters)

format: $(ready)-test
	@$(python) -m ruff check --quiet --fix . || true
	@$(python) -m ruff format .

colcon: $(ready)-colcon
	@$(colcon) build --base-paths . --build-base .colcon/build --install-base .colcon/install
	@$(colcon) test --base-paths . --build-base .colcon/build --install-base .colcon/install \
		--event-handlers console_direct+ --return-code-on-test-failure \
		--pytest-args $(COLCON_PYTEST_ARGS)
	@$(colcon) test-result --test-result-base .colcon/build --verbose

clean:
	rm -rf $(VENV) .venv-jazzy .colcon .cache *.egg-info build robot_dynamics_demo.png
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(ready): $(installation)
	@.ci/environment $(VENV) mujoco
	@touch $@

$(ready)-test: $(installation)
	@.ci/environment $(VENV) mujoco,symbolic,test
	@touch $(ready) $@

# Beside a sourced distribution, whose modules have the same names, it would not be Jazzy's.
.venv-jazzy/ready: $(installation)
	@ROS_DISTRO= ROS_WHEELS=jazzy .ci/environment .venv-jazzy mujoco,test
	@touch $@

$(ready)-colcon: $(ready)-test
	@$(python) -m pip install --quiet --disable-pip-version-check --no-input --progress-bar off \
		colcon-common-extensions
	@touch $@
