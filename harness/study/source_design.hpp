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

/// Studies that ask where the variance comes from: which seeds each run of such a plan has.
namespace retrial::harness::inline study {

/// The source of variation that a search draws from: which keys it tries.
inline constexpr std::string_view search_source = "hopt";

/// A key that a search tries, between two bounds: evenly, or evenly in the logarithm.
struct SearchKey {
  std::string key;
  double low = 0.0, high = 0.0;
  bool log = false;
  std::int64_t points = 0;  ///< of a noisy grid, 2 and more
};

/// How the keys of a trial are found: `trials` other trials are run first, and the keys of the one with the best
/// `metric` (a validation metric: never one of the test items) are taken.
struct SearchSpace {
  std::string method = "random";  ///< or "noisy-grid": an even grid whose bounds are drawn anew (Bouthillier et al.)
  std::int64_t trials = 0;        ///< of a noisy grid the product of the points
  std::string metric;
  std::vector<SearchKey> keys;  ///< by name
};

/// What varies together with what. See docs/method/variance.md.
struct VarianceDesign {
  std::string design;
  std::vector<std::string> sources;  ///< that the design tells apart, in order
  std::int64_t runs = 20, groups = 1;
  std::int64_t replicates = 5;  ///< of the first run, every seed frozen; 0: none
  std::string metric;           ///< that is looked at
};

/// Words of `design`, in the order of the documentation: oat, crossed, nested, saltelli, matched, ideal, fix_hopt.
[[nodiscard]] const std::vector<std::string>& design_words();
[[nodiscard]] const std::vector<std::string>& search_words();

/// One run of the plan: pair index by source, 0 where it is not named.
using Indices = std::map<std::string, std::uint64_t>;
struct DesignRow {
  Indices indices;
  std::optional<Indices> search;  ///< of the search that its keys come from
  std::string stratum;            ///< of oat: the source that alone differs, "base" or "together"
  std::int64_t group = 0;         ///< of nested, fix_hopt: the cluster
};

/// Every run, in plan order. `other` are the sources that are honoured and not among design.sources: fix_hopt draws
/// them once for each group. `root` draws the matched design.
[[nodiscard]] std::vector<DesignRow> rows_of(const VarianceDesign& design, const std::vector<std::string>& other,
                                             bool searches, std::uint64_t root);
/// How many rows_of() gives, without making them.
[[nodiscard]] std::int64_t row_count(const VarianceDesign& design);

/// The keys that trial `number` of a search tries, drawn from the source seed of `hopt`.
[[nodiscard]] Values searched_values(const workloads::Declaration& declaration, const SearchSpace& space,
                                     std::uint64_t seed, std::int64_t number);

/// As part of the study document, and read back from it (Error{integrity} for another form).
[[nodiscard]] Json document_of(const VarianceDesign& design);
[[nodiscard]] Json document_of(const SearchSpace& space);
[[nodiscard]] VarianceDesign variance_design_of(const Json& document);
[[nodiscard]] SearchSpace search_space_of(const Json& document);

}  // namespace retrial::harness::inline study
