#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/json/json_fwd.hpp"
#include "results/text/value.hpp"
#include "workloads/interface/declaration.hpp"

/// Studies of where the variance comes from: the seeds of each run of such a plan.
namespace retrial::harness::inline study::inline declared {

/// The source of variation from which a search draws the keys that it tries.
inline constexpr std::string_view search_source = "hopt";

/// A key that a search tries, between two bounds: evenly, or evenly in the logarithm.
struct SearchKey {
  std::string key;
  double low = 0.0, high = 0.0;
  bool log = false;
  std::int64_t points = 0;  ///< noisy grid only, 2 or more
};

/// The search for the keys of a trial: `trials` other trials are run first, and the keys of the one with the best
/// `metric` are taken (a validation metric, never one computed from the test items).
struct SearchSpace {
  std::string method = "random";  ///< or "noisy-grid": an even grid whose bounds are redrawn (Bouthillier et al.)
  std::int64_t trials = 0;        ///< noisy grid: the product of the points
  std::string metric;
  std::vector<SearchKey> keys;  ///< by name
};

/// Sources that vary together. See docs/method/variance.md.
struct VarianceDesign {
  std::string design;
  std::vector<std::string> sources;  ///< sources that the design separates, in order
  std::int64_t runs = 20, groups = 1;
  std::int64_t replicates = 5;  ///< repeats of the first run, every seed frozen; 0: none
  std::string metric;           ///< the metric to analyze
};

/// Words of `design`, in the order of the documentation: oat, crossed, nested, saltelli, matched, ideal, fix_hopt.
[[nodiscard]] const std::vector<std::string>& design_words();
[[nodiscard]] const std::vector<std::string>& search_words();

/// One run of the plan: pair index by source, 0 for a source that is not listed.
using Indices = std::map<std::string, std::uint64_t>;
struct DesignRow {
  Indices indices;
  std::optional<Indices> search;  ///< pair indices of the search that its keys come from
  std::string stratum;            ///< oat only: the one source that differs, "base" or "together"
  std::int64_t group = 0;         ///< nested and fix_hopt only: the cluster
};

/// Every run, in plan order. `other` are the honored sources that are not in design.sources: fix_hopt draws them
/// once per group. `root` is the seed that draws the matched design.
[[nodiscard]] std::vector<DesignRow> rows_of(const VarianceDesign& design, const std::vector<std::string>& other,
                                             bool searches, std::uint64_t root);
/// The number of rows of rows_of(), without building them.
[[nodiscard]] std::int64_t row_count(const VarianceDesign& design);

/// The keys that trial `number` of a search tries, drawn from the source seed of `hopt`.
[[nodiscard]] Values searched_values(const workloads::Declaration& declaration, const SearchSpace& space,
                                     std::uint64_t seed, std::int64_t number);

/// Written to the study document, and read back from it (Error{integrity} for any other form).
[[nodiscard]] Json document_of(const VarianceDesign& design);
[[nodiscard]] Json document_of(const SearchSpace& space);
[[nodiscard]] VarianceDesign variance_design_of(const Json& document);
[[nodiscard]] SearchSpace search_space_of(const Json& document);

}  // namespace retrial::harness::inline study::inline declared
