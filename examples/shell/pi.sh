#!/bin/sh
# Estimates pi from random points: sh pi.sh SEED [POINTS]. The generator is Park and Miller's (1988), written out,
# because awks differ in rand(); its products stay below 2^53, so every awk computes the same digits.
set -eu
seed=${1:?usage: pi.sh SEED [POINTS]}
points=${2:-20000}

LC_ALL=C awk -v seed="$seed" -v points="$points" '
  function draw() { state = (state * 16807) % 2147483647; return state / 2147483647 }
  BEGIN {
    pi = atan2(0, -1)
    state = seed % 2147483646 + 1
    for (i = 0; i < points; i++) {
      x = draw(); y = draw()
      if (x * x + y * y < 1) inside++
    }
    estimate = 4 * inside / points
    error = estimate < pi ? pi - estimate : estimate - pi
    printf "estimate = %.9f\nerror = %.9f\n", estimate, error
  }'
