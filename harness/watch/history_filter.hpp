#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace retrial::harness::inline watch {

/// What is known about one value of a history, by key: commit, store, benchmark, metric, and facts of the machine. A
/// key may have several values, as where two machines measured a commit.
using HistoryFacts = std::map<std::string, std::vector<std::string>>;

/// --where: conditions KEY OP VALUE joined by "and". OP is = != < <= > >=, or ~ for "contains". Values that are numbers
/// on both sides are compared as numbers, all others byte by byte. A value may be quoted: cpu_model = 'Xeon 8481C'.
class HistoryFilter {
 public:
  HistoryFilter() = default;
  /// Error{usage} for a malformed condition.
  explicit HistoryFilter(const std::string& text);

  [[nodiscard]] bool empty() const { return conditions_.empty(); }
  /// Error{usage} for a key that is not among those of the history, with the nearest of them.
  void require_known(const std::set<std::string>& keys) const;
  /// Every condition holds for some value of its key (!=: for all of them). A fact that was not recorded fits no
  /// condition, not even !=.
  [[nodiscard]] bool fits(const HistoryFacts& facts) const;

 private:
  struct Condition {
    std::string key, op, value;
  };
  std::vector<Condition> conditions_;
};

}  // namespace retrial::harness::inline watch
