#pragma once

#include "results/text/value.hpp"

namespace retrial::workloads::command::inline line {

/// Throws Error unless the folder, the program and the script that a command names exist, with the nearest name that
/// does. A script is the first word with the ending of its interpreter (python3 train.py, sh run.sh, Rscript fit.R).
/// Not looked at: words with placeholders, and whatever a shell or another program (docker, ssh) would start.
void demand_startable(const Values& values);

}  // namespace retrial::workloads::command::inline line
