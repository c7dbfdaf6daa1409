#!/bin/sh
# Runs the pytest-benchmark tests of a base commit and of this working tree in turns, each in processes of its own, and
# gates them.
#   gate-pytest.sh BASE_COMMIT PAIRS [OPTIONS OF retrial gate ...]
# Exit codes: 0 nothing regressed, 1 regressed, 3 inconclusive, 4 missing or incomparable, 5 a test failed.
# Set the line below: the folder of your benchmarks.
set -eu
tests=benchmarks

base_commit=$1 pairs=$2
shift 2
work=$(mktemp -d)
trap 'git worktree remove --force "$work/source" >"$work/log" 2>&1 || true; rm -rf "$work"' EXIT
git worktree add --detach "$work/source" "$base_commit" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 4; }

measure() { # SIDE SOURCE PAIR
  # A benchmark that is gone is found by the gate; 5 of pytest: no test was collected.
  if ! (cd "$2" && python3 -m pytest -q -p no:cacheprovider --benchmark-only "--benchmark-json=$work/$1-$3.json" "$tests") >"$work/log" 2>&1; then
    cat "$work/log" >&2
    exit 5
  fi
}

pair=1
while [ "$pair" -le "$pairs" ]; do
  # AB, BA, BA, AB: a steady drift of the machine cancels.
  case $((pair % 4)) in
    1 | 0) measure base "$work/source" "$pair" && measure head . "$pair" ;;
    *) measure head . "$pair" && measure base "$work/source" "$pair" ;;
  esac
  set -- "$@" --scores "base=$work/base-$pair.json" --scores "head=$work/head-$pair.json"
  pair=$((pair + 1))
done
retrial gate --baseline base --candidate head "$@"
