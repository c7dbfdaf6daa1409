#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace retrial::harness::inline stored {

/// What is known about a run or a value, by key: benchmark, variant, commit, facts of the machine. A key may have
/// several values, as where two machines measured a commit.
using Facts = std::map<std::string, std::vector<std::string>>;

/// Conditions KEY OP VALUE joined by "and". OP is = != < <= > >=, or ~ for "contains". Values that are numbers
/// on both sides are compared as numbers, all others byte by byte. A value may be quoted: cpu_model = 'Xeon 8481C'.
class FactFilter {
 public:
  FactFilter() = default;
  /// Error{usage} for a malformed condition, which names `field`, the option.
  FactFilter(const std::string& text, std::string field);

  [[nodiscard]] bool empty() const { return conditions_.empty(); }
  /// Error{usage} for a key that is not among these, with the nearest of them.
  void require_known(const std::set<std::string>& keys) const;
  [[nodiscard]] bool asks_for(const std::string& key) const;
  /// Every condition on this key holds for the value.
  [[nodiscard]] bool fits_key(const std::string& key, const std::string& value) const;
  /// Every condition holds for some value of its key (!=: for all of them). A fact that was not recorded fits no
  /// condition, not even !=.
  [[nodiscard]] bool fits(const Facts& facts) const;

 private:
  struct Condition {
    std::string key, op, value;
  };
  std::string field_;
  std::vector<Condition> conditions_;
};

}  // namespace retrial::harness::inline stored
