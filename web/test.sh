#!/usr/bin/env bash
# Tests the page.
# Usage: web/test.sh install               what the tests need from npm, unless it is there
#        web/test.sh types                 the types, by tsc
#        web/test.sh unit                  the modules, in Node
#        web/test.sh browser NEUROPRIM     the page of that command's server, in Chromium
#        web/test.sh static FOLDER NEUROPRIM   the page without a server in that folder, beside that command
#        web/test.sh frames NEUROPRIM [N]  how smoothly N points are moved: a measurement, no test
set -euo pipefail
neuroprim=$(realpath "${2:-.}")
command=$(realpath "${3:-.}")
cd "$(dirname "$0")"

case ${1:-} in
    install)
        # npm writes the first of these files when it is done; the second says what is wanted.
        [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-audit --no-fund --loglevel=error
        ;;
    types) exec node node_modules/typescript/bin/tsc --project . ;;
    unit)
        work=$(mktemp -d)
        trap 'rm -rf "$work"' EXIT
        "${ESBUILD:-esbuild}" tests/unit/*.test.mjs --bundle --platform=node --format=esm --target=node18 \
            --resolve-extensions=.ts,.mjs --out-extension:.js=.mjs --outdir="$work" --log-level=warning
        node --test "$work"
        ;;
    browser | frames | static)
        # Ubuntu has Chromium as a snap only, which is not for containers; the rest of the tests do without.
        for name in "${CHROMIUM:-}" chromium-headless-shell chromium chromium-browser google-chrome none; do
            chromium=$(command -v "$name") && break
        done
        if [ "$name" = none ]; then
            echo "skipped: no Chromium found; install one, or name it in the variable CHROMIUM" >&2
            exit 77
        fi
        export CHROMIUM=$chromium NEUROPRIM=$neuroprim
        if [ "$1" = frames ]; then exec node tests/frames.mjs "${@:3}"; fi
        if [ "$1" = static ]; then NEUROPRIM_COMMAND=$command exec node --test tests/static/all.test.mjs; fi
        exec node --test tests/browser/all.test.mjs
        ;;
    *) echo "usage: web/test.sh install|types|unit|browser|static|frames [NEUROPRIM]" >&2; exit 2 ;;
esac
