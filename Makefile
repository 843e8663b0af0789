# `make` alone says what there is to do. Everything runs from a fresh clone, as root too, and with an empty HOME.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Go keeps its caches beneath HOME, which a container's first process may not have.
export HOME := $(or $(HOME),$(shell getent passwd "$$(id -u)" | cut -d: -f6),/tmp)

# The tools' versions are pinned in tools/go.mod, apart from the product's.
TOOL := go tool -modfile=tools/go.mod
# One PostgreSQL for all packages under test.
WITH_POSTGRES := go run ./internal/pgdev/pgtest/with-postgres --
PACKAGES ?= ./...
TOUR := cmd/tour
MODULES := . tools $(wildcard bench)
DATA_DIR := $(or $(KAKEAI_DATA_DIR),.kakeai)

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9%-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  KAKEAI_ADDR and KAKEAI_DATA_DIR say where 'make run' listens and keeps its data."
	@echo "  PACKAGES and ARGS narrow 'make test' and 'make race': make test PACKAGES=./internal/db ARGS='-run Fence -v'"

.PHONY: run
run: build ## Kakeai with its own PostgreSQL and a demo organisation
	@exec bin/kakeai dev

.PHONY: build
build: web ## bin/kakeai, with the browser application if npm is here
	@go build -o bin/kakeai ./cmd/kakeai

# Without npm, or without the application, the server answers / with a page that says so.
.PHONY: web
ifeq ($(wildcard web/package.json),)
web:
else ifeq ($(shell command -v npm),)
web:
	@echo "npm is not here: building without the browser application" >&2
else
web: web/dist/index.html

endif

web_sources := $(shell find web -name node_modules -prune -o -name dist -prune -o -path web/e2e -prune -o -type f -print)

web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	@npm --prefix web ci --no-audit --no-fund
	@touch $@

web/dist/index.html: web/node_modules/.package-lock.json $(web_sources)
	@npm --prefix web run build
	@touch $@

HAS_NODE := $(and $(wildcard web/package.json),$(shell command -v npm))

.PHONY: web-budget
web-budget: web/dist/index.html ## what the first load of the browser application weighs, and whether that is too much
	@npm --prefix web run budget

# ARGS=--only=WORD measures the pages whose names hold it, --why tells what moved and what a load waited for, --people=10000 is a large organisation.
.PHONY: web-speed
web-speed: needs/web/e2e build ## how soon the pages of the browser application take input on a slow laptop, and what moves
	@npm --prefix web run --silent speed -- $(ARGS)

.PHONY: web-pictures
web-pictures: needs/web/e2e build ## the README's pictures of the browser application, anew
	@npm --prefix web run pictures

.PHONY: generate
generate: ## the typed Go of sql/ and of internal/api/openapi.yaml, and with npm the typed client of the latter
	@$(TOOL) sqlc generate
	@$(TOOL) oapi-codegen -config internal/api/oapi-codegen.yaml internal/api/openapi.yaml
	@if [ -n "$(HAS_NODE)" ]; then $(MAKE) generate-web; else echo "npm is not here: web/src/api/schema.gen.ts was not generated anew" >&2; fi

.PHONY: generate-web
generate-web: web/node_modules/.package-lock.json
	@npm --prefix web run --silent generate

.PHONY: test
test: ## every test, on one real PostgreSQL
	@$(WITH_POSTGRES) go test $(ARGS) $(PACKAGES)

.PHONY: test-bench
test-bench: needs/bench ## the tests of the benchmarks, such as whether their peers still answer as the product does
	@go -C bench test ./...

.PHONY: race
race: ## every test under the race detector
	@$(WITH_POSTGRES) go test -race -timeout 20m $(ARGS) $(PACKAGES)

# A target that quietly did nothing would count as passed.
needs/%:
	@test -e $* || { echo "$* is not there yet" >&2; exit 1; }

.PHONY: tour
tour: needs/$(TOUR) build ## a walk through the running program, over its API
	@go run ./$(TOUR)

# ARGS=--flows shows each page in one variant of four, --quick in two, --only=WORD all steps but those whose names hold it.
.PHONY: e2e
e2e: needs/web/e2e build ## the browser application in a real browser
	@npm --prefix web run e2e -- $(ARGS)

.PHONY: bench
bench: needs/bench build ## all benchmarks against their peers (≤ 90 minutes)
	@go -C bench run .

bench-%: needs/bench build ## one benchmark (≤ 15 minutes)
	@go -C bench run . $*

# MINUTES and WAY (new or old) say how long and of what; ARGS is for further flags, such as -seed=1.
.PHONY: soak
soak: needs/bench build ## mixed load for MINUTES=20, with kills of workers and of database connections
	@go -C bench run . -minutes=$(or $(MINUTES),20) -way=$(or $(WAY),new) $(ARGS) soak

# Cheap checks first, so that most mistakes are told within seconds.
.PHONY: check
check: check-format check-shell check-sql check-generated check-modules check-vet check-web check-lint check-vulnerabilities ## what must hold before a commit, tests aside

.PHONY: check-format
check-format:
	@unformatted=$$(gofmt -l $(wildcard cmd internal tools bench web/*.go)); \
	if [ -n "$$unformatted" ]; then echo "gofmt -w" $$unformatted; exit 1; fi

.PHONY: check-shell
check-shell:
	@grep -rlIm1 -E '^#!/(usr/)?bin/(env )?(ba)?sh' --exclude-dir={.git,.kakeai,bin,node_modules,dist} . | \
	while read -r script; do bash -n "$$script"; done

.PHONY: check-sql
check-sql:
	@go -C tools test -count=1 ./sqlcheck # it reads ../sql, which go's cache of results does not watch
	@go -C tools build -o ../bin/sqlcheck ./sqlcheck
	@bin/sqlcheck sql

.PHONY: check-generated
check-generated:
	@$(TOOL) sqlc diff || { echo "run make generate" >&2; exit 1; }
	@config=$$(mktemp); trap 'rm -f "$$config"' EXIT; \
	sed '/^output:/d' internal/api/oapi-codegen.yaml >"$$config"; \
	$(TOOL) oapi-codegen -config "$$config" internal/api/openapi.yaml | diff -u internal/api/api.gen.go - | head -n 40 || { echo "run make generate" >&2; exit 1; }

# The generated client, types, lint and logic of the browser application; a machine without Node cannot tell.
.PHONY: check-web
ifeq ($(and $(wildcard web/package.json),$(shell command -v npm)),)
check-web:
	@echo "npm is not here: the browser application was not checked"
else
check-web: web/node_modules/.package-lock.json
	@npm --prefix web run --silent check
endif

.PHONY: check-modules
check-modules:
	@for module in $(MODULES); do \
		if ! said=$$(go -C "$$module" mod tidy -diff 2>&1); then \
			if grep -qE 'dial tcp|no such host|module lookup disabled' <<<"$$said"; then echo "go mod tidy: no network, so $$module/go.mod was not checked"; \
			else head -n 20 <<<"$$said"; echo "run go mod tidy in $$module" >&2; exit 1; fi; \
		fi; \
	done

.PHONY: check-vet
check-vet:
	@for module in $(MODULES); do go -C "$$module" vet ./...; done

.PHONY: check-lint
check-lint:
	@$(TOOL) golangci-lint run ./...
	@cd tools && go tool golangci-lint run ./...

# Its data come from the network; a machine without one is not the code's fault.
.PHONY: check-vulnerabilities
check-vulnerabilities:
	@said=$$($(TOOL) govulncheck ./... 2>&1) && exit 0; code=$$?; \
	if [ $$code -ne 3 ] && grep -q 'fetching vulnerabilities' <<<"$$said"; then \
		echo "govulncheck: its data cannot be reached from here, so nothing was checked"; \
	else echo "$$said"; exit $$code; fi

# Only what `kakeai dev` is known to put there, and only while none is running.
.PHONY: clean-data
clean-data: ## throws away the data of 'make run'
	@cd "$(DATA_DIR)" 2>/dev/null || { echo "no data in $(DATA_DIR)"; exit 0; }; \
	if [ -e lock ] && ! flock -n lock true; then echo "something is running on $(DATA_DIR): stop it first" >&2; exit 1; fi; \
	rm -rf cluster mail unfinished-* passwords.json passwords.json.new server.log cursor.key lock

.PHONY: clean
clean: ## throws away what was built
	@rm -rf bin web/node_modules web/dist/assets web/dist/*
