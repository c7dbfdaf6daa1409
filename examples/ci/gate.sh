#!/bin/sh
# Builds the benchmarks of a base commit beside those of this working tree, and gates them.
#   gate.sh BASE_COMMIT [OPTIONS OF retrial gate ...]
# Exit codes: 0 nothing regressed, 1 regressed, 3 inconclusive, 4 missing or incomparable, 5 a program failed.
# Set the two lines below: the target of your Google Benchmark program, and the options of its runs.
set -eu
target=bench
run="--benchmark_min_time=0.1"

base_commit=$1
shift
work=$(mktemp -d)
trap 'git worktree remove --force "$work/source" >"$work/log" 2>&1 || true; rm -rf "$work"' EXIT

build() { # SOURCE BUILD
  if ! { cmake -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=Release && cmake --build "$2" --target "$target" --parallel 2; } >"$work/log" 2>&1; then
    cat "$work/log" >&2
    exit 5
  fi
}

# Debug information holds paths, so that equal sources would give unequal programs; a release build has none.
git worktree add --detach "$work/source" "$base_commit" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 4; }
build "$work/source" "$work/base"
build . "$work/head"
retrial gate --each-benchmark --db "$work/gate.db" \
  --command "base='$work/base/$target' $run" --command "head='$work/head/$target' $run" "$@"
