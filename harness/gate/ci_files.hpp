#pragma once

#include "harness/gate/gate.hpp"

/// The result in the forms that CI systems read, under their limits. Names come from files of other people: each form
/// escapes them.
namespace retrial::harness::inline gate {

/// One test suite per benchmark, one test case per metric. Characters outside XML 1.0 become U+FFFD.
[[nodiscard]] std::string junit(const GateResult& result, const GateSettings& settings);

/// Markdown with one table, the worst first, of at most `limit` bytes: a comment on GitHub has 65,536 characters.
[[nodiscard]] std::string summary_markdown(const GateResult& result, const GateSettings& settings,
                                           std::size_t limit = 65'000);

/// Workflow commands of GitHub: at most 10 errors and 10 warnings, since it drops the others; the last one says how
/// many more there are.
[[nodiscard]] std::string annotations(const GateResult& result, const GateSettings& settings);

/// Lines for $GITHUB_OUTPUT: verdict, exit, regressed_count.
[[nodiscard]] std::string github_output(const GateResult& result);

}  // namespace retrial::harness::inline gate
