#!/usr/bin/env bash
# Installs both lines of OpenTelemetry's SDK, a Node that the newer one runs on, and an instrumentation beside a package that it skips, once, into the user's cache; prints
# the folder. Where the registry or a package cannot be had it says so and exits 0: the tests are then skipped by name.
set -u
cd "$(dirname "$0")" || exit 2
cache="${XDG_CACHE_HOME:-$HOME/.cache}/otel-eval"
folder="$cache/sdk-lines-$(cat install.sh | cksum | cut -d ' ' -f 1)"
if [ -e "$folder/complete" ]; then echo "$folder"; exit 0; fi
mkdir -p "$folder/sdk-2" "$folder/sdk-3" "$folder/skipped" "$folder/node" || exit 2

# Packages of one line in a folder of their own. The newer line asks for a newer Node than npm may run on here.
install() {
  (cd "$folder/$1" && shift && echo '{"private":true}' > package.json &&
    npm install --no-audit --no-fund --no-package-lock --loglevel=error "$@" > /dev/null)
}
platform=$(node -p '`${process.platform}-${process.arch}`')
install sdk-2 @opentelemetry/api@1.9.1 @opentelemetry/sdk-trace@2.12.1 @opentelemetry/sdk-node@0.223 &&
  install sdk-3 @opentelemetry/api@1.10 @opentelemetry/sdk-trace@3.1.1 @opentelemetry/sdk-node@0.301.0 &&
  install node "node-$platform@24" &&
  ln -sf "node_modules/node-$platform/bin/node" "$folder/node/node" &&
  { install skipped @traceloop/instrumentation-openai@0.27.0 openai@7.59.0 @opentelemetry/sdk-trace@2.12.1 || rm -rf "$folder/skipped"; } &&
  touch "$folder/complete" && echo "$folder" && exit 0
echo 'the lines of the SDK were not installed: no registry, or a package is missing' >&2
