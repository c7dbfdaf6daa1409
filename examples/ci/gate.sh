#!/bin/sh
# Two builds of one Google Benchmark program, started in turns, judged by retrial gate.
#   gate.sh BASE_PROGRAM HEAD_PROGRAM [PAIRS] [OPTIONS OF retrial gate ...]
# Exit codes: 0 nothing regressed, 1 regressed, 3 inconclusive, 4 missing or incomparable, 5 a program failed.
set -eu
base=$1 head=$2 pairs=${3:-10}
shift 2
[ $# -gt 0 ] && shift
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

measure() { # SIDE PROGRAM PAIR
  if ! "$2" --benchmark_out="$out/$1-$3.json" --benchmark_out_format=json >"$out/log" 2>&1; then
    cat "$out/log" >&2
    exit 5
  fi
  sleep 1 # the files have full seconds, and the order of two processes must show
}

pair=1
while [ "$pair" -le "$pairs" ]; do
  # AB, BA, BA, AB: a steady drift of the machine cancels.
  case $((pair % 4)) in
    1 | 0) measure base "$base" "$pair" && measure head "$head" "$pair" ;;
    *) measure head "$head" "$pair" && measure base "$base" "$pair" ;;
  esac
  set -- "$@" --scores "base=$out/base-$pair.json" --scores "head=$out/head-$pair.json"
  pair=$((pair + 1))
done
retrial gate --baseline base --candidate head "$@"
