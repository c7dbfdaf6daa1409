#pragma once

#include "results/text/value.hpp"
#include "workloads/interface/user_program.hpp"

namespace retrial::workloads::command::inline surroundings {

/// Environment of the command of these values: working folder, interpreter and its version, packages, the state of
/// git, named variables; GPUs; and where its imports will show. Starts the interpreter and git once per process.
[[nodiscard]] ProgramFacts program_facts_of(const Values& values);

}  // namespace retrial::workloads::command::inline surroundings
