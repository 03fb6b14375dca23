#!/usr/bin/env bash
# Builds the Jaeger that tests talk to, once, into the user's cache; prints where it is. At most ten minutes. Without Go,
# or when that is not enough, it says so and exits 0: the test that needs it is then skipped by name.
set -u
cd "$(dirname "$0")" || exit 2
folder="${XDG_CACHE_HOME:-$HOME/.cache}/otel-eval/jaeger-$(cat go.mod go.sum | cksum | cut -d ' ' -f 1)"
if [ -x "$folder/jaeger" ]; then echo "$folder/jaeger"; exit 0; fi
command -v go > /dev/null || { echo 'no Go: no Jaeger is built' >&2; exit 0; }
mkdir -p "$folder" || exit 2
if CGO_ENABLED=0 timeout 600 go build -o "$folder/jaeger.part" github.com/jaegertracing/jaeger/cmd/jaeger >&2; then
  mv "$folder/jaeger.part" "$folder/jaeger" && echo "$folder/jaeger"
else
  echo 'Jaeger was not built (within ten minutes)' >&2
fi
