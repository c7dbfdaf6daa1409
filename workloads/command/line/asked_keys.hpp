#pragma once

#include "workloads/interface/declaration.hpp"

namespace retrial::workloads::command::inline line {

/// The keys that can change what a program measures, for telling whether two studies ask the same. `command` and
/// `prepare` are their words, as a JSON list, unless a shell reads them: blanks and quotes make no other program, nor
/// does the kind of its seed. Left out are the keys that say what else is read or kept, which files the identity
/// counts, and where seeds come from. The metric makes no difference.
[[nodiscard]] Values asked_keys(Values values, const std::string& metric);

}  // namespace retrial::workloads::command::inline line
