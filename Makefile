# The front door. Everything here works from a fresh clone on Debian 12 or Ubuntu 24.04.
BUILD := build
JOBS := $(shell nproc)
SECONDS_EACH := 60
FUZZ := fuzz

.PHONY: help build demo test test-page python train test-train bench format lint docs site test-site package release fuzz faults coverage clean

help:
	@echo "make demo      install what solving needs, build, solve the examples, draw a picture"
	@echo "make test      install what testing needs, LibTorch too, build and run every test"
	@echo "make build     build/neuroprim, the command, with the page of neuroprim serve;   make test-page  tests the page"
	@echo "make python    build/python/neuroprim, the Python module;   PYTHONPATH=build/python uses it, pip install . installs it"
	@echo "make train     build/train/neuroprim with neuroprim-train beside it, on LibTorch;   make test-train  tests that alone"
	@echo "make bench     the benchmarks"
	@echo "make docs      build/site, the documentation as a web site;   its front page is build/site/index.html"
	@echo "make site      the same, and in build/site/app the page without a server;   make test-site  tests that"
	@echo "make package   .debs of command, library and models;   make release  all that a release has, in dist/"
	@echo "make format    clang-format on our own files;   make lint      clang-tidy, and who includes whom"
	@echo "make faults    every allocation and every write of small runs fails once, and a thousand kills"
	@echo "make fuzz      a minute of libFuzzer for every reader and the server (SECONDS_EACH=3600: an hour; FUZZ=fuzz-fast: without sanitizers);   make coverage  lines that tests reach, by file and folder"

build:
	@scripts/install-dependencies solve serve
	cmake --preset solve -D NEUROPRIM_SERVE=ON
	cmake --build $(BUILD) --parallel $(JOBS)

# Solving alone is enough here, and sooner built; a build that is there already is taken as it is.
demo:
	@scripts/install-dependencies solve
	@test -e $(BUILD)/build.ninja || cmake --preset solve
	cmake --build $(BUILD) --parallel $(JOBS) --target neuroprim_cli
	@scripts/demo $(BUILD)/neuroprim

# Everything in one tree, so that the library is compiled once for the command, Python, the server and training.
test:
	@scripts/install-dependencies solve serve test page python test-python train
	cmake --preset test
	cmake --build $(BUILD) --parallel $(JOBS)
	ctest --test-dir $(BUILD) --no-tests=error --output-on-failure --parallel $(JOBS)

test-page:
	@scripts/install-dependencies solve serve page
	cmake --preset solve -D NEUROPRIM_SERVE=ON
	cmake --build $(BUILD) --parallel $(JOBS) --target neuroprim_cli
	web/test.sh install && web/test.sh types && web/test.sh unit && web/test.sh browser $(BUILD)/neuroprim

python:
	@scripts/install-dependencies solve python
	cmake --preset solve -D NEUROPRIM_PYTHON=ON -D Python_EXECUTABLE=/usr/bin/python3
	cmake --build $(BUILD) --parallel $(JOBS) --target neuroprim_python

train:
	@scripts/install-dependencies solve train
	cmake --preset train -D NEUROPRIM_BUILD_TESTS=OFF
	cmake --build $(BUILD)/train --parallel $(JOBS)

test-train:
	@scripts/install-dependencies solve test train
	cmake --preset train
	cmake --build $(BUILD)/train --parallel $(JOBS) --target neuroprim_trainer_tests neuroprim_train_tests
	ctest --test-dir $(BUILD)/train --no-tests=error --output-on-failure -L train

bench:
	@scripts/install-dependencies solve serve test bench
	cmake --preset release -D NEUROPRIM_BUILD_BENCH=ON -D NEUROPRIM_PYTHON=OFF
	cmake --build $(BUILD) --parallel $(JOBS)
	@scripts/bench $(BUILD)

format:
	@scripts/install-dependencies lint
	git ls-files '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs clang-format -i

lint:
	@scripts/install-dependencies solve serve train lint
	git ls-files '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs clang-format --dry-run --Werror
	scripts/check-includes
	git grep -lE '^#!.*sh$$' -- scripts .ci bench web | xargs shellcheck
	cmake --preset lint
	@scripts/lint $(BUILD)/lint $(JOBS)

# The documentation, in build/site: nothing is fetched, and the pages ask for nothing outside of themselves.
docs:
	@scripts/install-dependencies solve python docs
	cmake --preset solve -D NEUROPRIM_PYTHON=ON -D Python_EXECUTABLE=/usr/bin/python3
	cmake --build $(BUILD) --parallel $(JOBS) --target neuroprim_cli neuroprim_python
	/usr/bin/python3 scripts/build-docs $(BUILD) $(BUILD)/site

# The documentation, and in build/site/app the page with the engine in it: static files for any web host.
# Emscripten's tools look for Node.js modules where the distribution has them.
site:
	@scripts/install-dependencies wasm
	NODE_PATH=/usr/share/nodejs emcmake cmake -S web/engine -B $(BUILD)/engine -G Ninja -D CMAKE_BUILD_TYPE=Release
	NODE_PATH=/usr/share/nodejs cmake --build $(BUILD)/engine --parallel $(JOBS)
	web/static/build.sh $(BUILD)/engine $(BUILD)/app
	$(MAKE) docs

test-site: site
	@scripts/install-dependencies page
	web/test.sh install && web/test.sh static $(BUILD)/site/app $(BUILD)/neuroprim

package:
	@scripts/install-dependencies solve serve
	cmake --preset solve -D NEUROPRIM_SERVE=ON
	cmake --build $(BUILD) --parallel $(JOBS)
	cd $(BUILD) && cpack -G DEB

# Everything that a release has, in dist/. What it makes is tested by scripts/test-release, which needs root and a mirror.
release:
	@scripts/install-dependencies solve serve python test-python release
	cmake --preset solve -D NEUROPRIM_SERVE=ON -D NEUROPRIM_PYTHON=ON -D Python_EXECUTABLE=/usr/bin/python3 \
		-D NEUROPRIM_PYTHON_DIR=lib/python3/dist-packages
	cmake --build $(BUILD) --parallel $(JOBS)
	scripts/release $(BUILD)

fuzz:
	@scripts/install-dependencies solve test lint
	cmake --preset $(FUZZ)
	cmake --build $(BUILD)/$(FUZZ) --parallel $(JOBS)
	@scripts/fuzz $(BUILD)/$(FUZZ) $(SECONDS_EACH)

# Every allocation and every write of small runs fails once; then a thousand kills of runs with --results.
faults:
	@scripts/install-dependencies solve serve test
	cmake --preset release -D NEUROPRIM_PYTHON=OFF
	cmake --build $(BUILD) --parallel $(JOBS) --target neuroprim_cli neuroprim_faults
	tests/faults/every_fault.py $(BUILD)/neuroprim $(BUILD)/tests/faults.so
	bench/kill-results $(BUILD)/neuroprim 1000

coverage:
	@scripts/install-dependencies solve serve test coverage
	cmake --preset coverage
	cmake --build $(BUILD)/coverage --parallel $(JOBS)
	ctest --preset coverage --parallel $(JOBS)
	@scripts/coverage $(BUILD)/coverage

clean:
	rm -rf $(BUILD)
