#pragma once

#include <string>
#include <vector>

/// Why a program, or a file that it reads, is not the one that the study began with: each ends the run with
/// Error{incomparable}. `where`: the store, or the phase of a check.
namespace retrial::harness::inline run::inline program {

/// The run ends because of these changes. `help`: how to begin again.
[[noreturn]] void refuse_changed_program(const std::string& change, const std::string& where, const std::string& help);

/// Stored trials ran with other files.
[[noreturn]] void refuse_other_files(const std::vector<std::string>& changes, const std::string& where);

/// A file that only one trial has read was changed: the next trial would show whether the program rewrites it each
/// time, and this launch has none.
[[noreturn]] void refuse_doubtful_file(const std::string& doubt, const std::string& where);

}  // namespace retrial::harness::inline run::inline program
