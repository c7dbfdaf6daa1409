#!/bin/sh
# Stochastic gradient descent on a bowl of four dimensions: sh descend.sh SEED LR STEPS. The seed draws the start and
# the noise of the gradients; the generator is that of pi.sh.
set -eu
seed=${1:?usage: descend.sh SEED LR STEPS}
rate=${2:?usage: descend.sh SEED LR STEPS}
steps=${3:?usage: descend.sh SEED LR STEPS}

LC_ALL=C awk -v seed="$seed" -v rate="$rate" -v steps="$steps" '
  function draw() { state = (state * 16807) % 2147483647; return state / 2147483647 }
  BEGIN {
    state = seed % 2147483646 + 1
    for (i = 1; i <= 4; i++) { x[i] = 4 * draw() - 2; slope[i] = i / 2 }
    for (step = 1; step <= steps; step++)
      for (i = 1; i <= 4; i++) x[i] -= rate * (slope[i] * x[i] + draw() + draw() - 1)
    for (i = 1; i <= 4; i++) loss += slope[i] * x[i] * x[i] / 2
    printf "loss = %.9f\n", loss
  }'
