#!/usr/bin/env bash
# headers_alone.sh ROOT COMPILER: every header of the torch-free part compiles by itself. Names the ones that do not.
set -u
cd "$1" || exit 2
find variance results determinism workloads harness -name '*.hpp' |
  grep -vE '_(torch|cuda|inline)\.hpp$' | sort |
  xargs -P "$(nproc)" -I{} sh -c \
    "printf '#include \"{}\"\n#include \"{}\"\n' | $2 -std=c++20 -I. -O0 -fsyntax-only -Wall -Wextra -Wno-missing-field-initializers -x c++ - || { echo 'not alone: {}'; exit 255; }"
