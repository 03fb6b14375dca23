#!/usr/bin/env bash
# What some tests use when it is there: a real Jaeger (needs Go), docker-compose, Chromium, both lines of the SDK. Tests that miss it skip by name.
set -u
cd "$(dirname "$0")/.." || exit 0
quietly() { "$@" >/dev/null 2>&1 || echo "not to be had here: $*"; }

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  command -v docker-compose >/dev/null || { quietly apt-get update; quietly apt-get install -y --no-install-recommends docker-compose; }
  command -v chromium >/dev/null || { quietly apt-get update; quietly apt-get install -y --no-install-recommends chromium fonts-dejavu-core; }
fi
quietly bash test/sdk-lines/install.sh
exit 0
