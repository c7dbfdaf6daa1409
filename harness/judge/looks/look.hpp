#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/command_line/arguments.hpp"
#include "harness/command_line/command.hpp"
#include "results/store/store.hpp"
#include "variance/comparisons/status.hpp"

namespace retrial::harness::inline judge::inline looks {

/// A question of an earlier study whose trials have the scores of this look, pair by pair.
struct Twin {
  results::Digest study{}, question{};
  bool operator==(const Twin&) const = default;
};

/// One look at a question: a verdict, a test or a family of them that was shown to a reader. A look at the same trials
/// by the same rule is the same look, however often and by whatever command it is shown.
struct Look {
  /// In the order of the store, from 1; the claims of one family share it. 0: not counted yet.
  std::int64_t number = 0;
  results::Digest question{}, study{};
  results::Digest draw{};  ///< draw_of() the study
  results::Digest rule{};  ///< digest of the design document, or of the test and its settings
  /// Digest of the judged records; all zero for a sequential design, whose every look is allowed for.
  results::Digest inputs{};
  double rate = 0;               ///< how often this look calls one of two equal variants BETTER, at most
  bool declared = false;         ///< by the design of the study, for the sides and the metric that it declares
  std::int64_t pairs = 0;        ///< that the rule takes; 0: any number
  std::string by;                ///< "design fixed of 20 pairs", "test wilcoxon"
  std::vector<Twin> twins = {};  ///< found in the store when the look is placed, and not stored

  [[nodiscard]] bool same_rule(const Look& other) const { return rule == other.rule && pairs == other.pairs; }
  [[nodiscard]] bool same_as(const Look& other) const {
    return question == other.question && draw == other.draw && same_rule(other) && inputs == other.inputs;
  }
  /// Whether an earlier look asked the same: the same question, or one whose keys differ without an effect.
  [[nodiscard]] bool asks_what(const Look& earlier) const {
    return question == earlier.question || std::ranges::find(twins, earlier.question, &Twin::question) != twins.end();
  }
  /// Whether an earlier look saw the same scores.
  [[nodiscard]] bool on_trials_of(const Look& earlier) const {
    return (question == earlier.question && draw == earlier.draw) ||
           std::ranges::find(twins, Twin{earlier.study, earlier.question}) != twins.end();
  }
};

/// Maximum rate at which a rule of this level calls one of two equal variants BETTER.
[[nodiscard]] constexpr double rate_of(double alpha, variance::Sides sides) {
  return sides == variance::Sides::two ? alpha / 2 : alpha;
}

/// The looks at questions of a store, by number, then by digest of the record.
[[nodiscard]] std::vector<Look> stored_looks(const results::Store& store);

/// Records the looks that the store does not have yet, as one family: with one number. They are rows of the table
/// `event`, outside the store digest. False, with a note on standard error, where the store cannot be written.
[[nodiscard]] bool record_looks(const std::filesystem::path& store, const std::vector<Look>& looks);
/// The same in a store that is open for writing.
void record_looks(results::Store& store, const std::vector<Look>& looks);

/// Records looks before their answer is shown. False where that is impossible or not wanted.
using RecordLooks = std::function<bool(const std::vector<Look>&)>;
/// Records in this store, unless --foreign says that it is someone else's.
[[nodiscard]] RecordLooks recorder(const Arguments& arguments, const std::filesystem::path& store);
[[nodiscard]] Option foreign_option();
/// Text after "look not recorded" on every page that shows such a look.
constexpr const char* look_not_counted = "the store does not count it";

}  // namespace retrial::harness::inline judge::inline looks
