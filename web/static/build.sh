#!/bin/sh
# Puts the page without a server into a folder: static files that any web host can serve.
# Usage: web/static/build.sh ENGINE-FOLDER OUT-FOLDER     the first holds engine.js and engine.wasm
set -eu
here=$(cd "$(dirname "$0")" && pwd)
engine=$1
out=$2
mkdir -p "$out/models"
"$here/../build.sh" "$out/index.html" "$here/main.ts"
"${ESBUILD:-esbuild}" "$here/worker.ts" --bundle --minify --format=iife --target=es2020 --log-level=warning \
    --outfile="$out/worker.js"
cp "$engine/engine.js" "$engine/engine.wasm" "$out"
for name in dcmst dcmst-3 mrcst stp; do cp "$here/../../models/$name.safetensors" "$out/models"; done
# Such a host sends no policy of its own, so the page holds it: everything comes from beside it, and nothing else runs.
policy="default-src 'none'; $(sed "s/script-src /script-src 'self' 'wasm-unsafe-eval' /" "$out/index.csp"); worker-src 'self'; connect-src 'self'; img-src data: blob:; base-uri 'none'; form-action 'none'"
rm "$out/index.csp"
sed -i "s|^<meta charset=\"utf-8\">|&\n<meta http-equiv=\"Content-Security-Policy\" content=\"$policy\">|" "$out/index.html"
