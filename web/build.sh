#!/bin/sh
# Bundles the page into one HTML file with its script and style inside, which asks for nothing else.
# Usage: web/build.sh OUT.html [ENTRY.ts]
# Beside it goes OUT.csp, one line: the script-src and style-src of a Content-Security-Policy, by hash.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
entry=${2:-$here/src/main.ts}
esbuild=${ESBUILD:-esbuild}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$esbuild" "$entry" --bundle --minify --format=iife --target=es2020 --charset=utf8 --log-level=warning \
    --outfile="$work/script.js"
"$esbuild" "$here/style.css" --minify --target=chrome100,firefox100,safari15 --charset=utf8 --log-level=warning \
    --outfile="$work/style.css"
# The end of the last line is dropped: a hash is of every byte between the tags.
printf %s "$(cat "$work/script.js")" > "$work/script"
printf %s "$(cat "$work/style.css")" > "$work/style"

hash_of() { sha256sum "$1" | cut -c1-64 | tr a-f A-F | basenc --base16 -d | base64; }

awk -v script="$work/script" -v style="$work/style" '
    function paste(before, file, after,    line, first) {
        printf "%s", before
        first = 1
        while ((getline line < file) > 0) { printf "%s%s", (first ? "" : "\n"), line; first = 0 }
        print after
    }
    /^ *<style><\/style>$/ { paste("<style>", style, "</style>"); next }
    /^ *<script><\/script>$/ { paste("<script>", script, "</script>"); next }
    { print }' "$here/index.html" > "$work/page.html"
printf "script-src 'sha256-%s'; style-src 'sha256-%s'\n" "$(hash_of "$work/script")" "$(hash_of "$work/style")" \
    > "$work/page.csp"
mv "$work/page.html" "$out"
mv "$work/page.csp" "${out%.html}.csp"
