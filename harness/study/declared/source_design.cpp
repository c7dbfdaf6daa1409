#include "harness/study/declared/source_design.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "harness/study/declared/stored_fields.hpp"
#include "results/text/text.hpp"
#include "variance/random/rng.hpp"
#include "variance/sources/sensitivity.hpp"

namespace retrial::harness::inline study::inline declared {
namespace {

std::uint64_t index_of(std::int64_t number) {
  return static_cast<std::uint64_t>(number);
}

std::vector<DesignRow> oat_rows(const VarianceDesign& design) {
  std::vector<DesignRow> out{{.indices = {}, .search = std::nullopt, .stratum = "base"}};
  for (const auto& source : design.sources)
    for (std::int64_t i = 1; i < design.runs; ++i)
      out.push_back({.indices = {{source, index_of(i)}}, .search = std::nullopt, .stratum = source});
  for (std::int64_t i = 1; i < design.runs && design.sources.size() > 1; ++i) {
    out.push_back({.indices = {}, .search = std::nullopt, .stratum = "together"});
    for (const auto& source : design.sources) out.back().indices[source] = index_of(i);
  }
  return out;
}

std::vector<DesignRow> crossed_rows(const VarianceDesign& design) {
  std::vector<DesignRow> out;
  for (std::int64_t i = 0; i < design.groups; ++i)
    for (std::int64_t j = 0; j < design.runs; ++j)
      out.push_back({.indices = {{design.sources.at(0), index_of(i)}, {design.sources.at(1), index_of(j)}},
                     .search = std::nullopt,
                     .stratum = "",
                     .group = i});
  return out;
}

/// `outer` is drawn once per group, `inner` for every run; no two runs share a seed of `inner`.
std::vector<DesignRow> grouped_rows(const VarianceDesign& design, const std::vector<std::string>& outer,
                                    const std::vector<std::string>& inner) {
  std::vector<DesignRow> out;
  for (std::int64_t g = 0; g < design.groups; ++g)
    for (std::int64_t j = 0; j < design.runs; ++j) {
      out.push_back({.indices = {}, .search = std::nullopt, .stratum = "", .group = g});
      for (const auto& source : outer) out.back().indices[source] = index_of(g);
      for (const auto& source : inner) out.back().indices[source] = index_of(g * design.runs + j);
    }
  return out;
}

std::vector<DesignRow> seed_rows(const variance::SeedDesign& seeds, const VarianceDesign& design) {
  std::vector<DesignRow> out;
  for (const auto& row : seeds) {
    out.emplace_back();
    for (std::size_t s = 0; s < design.sources.size(); ++s) out.back().indices[design.sources[s]] = row[s];
  }
  return out;
}

std::vector<DesignRow> plain_rows(const VarianceDesign& design, const std::vector<std::string>& other,
                                  std::uint64_t root) {
  const auto count = static_cast<std::uint32_t>(design.sources.size());
  const auto runs = static_cast<std::uint32_t>(design.runs);
  if (design.design == "oat") return oat_rows(design);
  if (design.design == "crossed") return crossed_rows(design);
  if (design.design == "saltelli") return seed_rows(variance::saltelli_design(runs, count), design);
  if (design.design == "matched")
    return seed_rows(variance::matched_design(runs, count, variance::derive(root, "design:matched")), design);
  if (design.design == "nested")
    return grouped_rows(design, {design.sources.front()}, {design.sources.begin() + 1, design.sources.end()});
  if (design.design != "ideal") return grouped_rows(design, other, design.sources);
  VarianceDesign alone = design;  // every run is its own group
  std::swap(alone.groups, alone.runs);
  return grouped_rows(alone, other, design.sources);
}

/// In designs that estimate the pipeline, a search has the seeds of the first run of its group. In the others, the
/// sources of a training are frozen during a search, so that its result depends only on the source hopt and can be
/// crossed with others.
void add_searches(const VarianceDesign& design, std::vector<DesignRow>& rows) {
  const bool estimator = design.design == "ideal" || design.design == "fix_hopt";
  const Indices* first = nullptr;
  std::int64_t group = -1;
  for (auto& row : rows) {
    if (estimator) {
      if (std::exchange(group, row.group) != row.group) first = &row.indices;
      row.search = *first;
      continue;
    }
    const auto hopt = row.indices.find(std::string(search_source));
    row.search = Indices{{std::string(search_source), hopt == row.indices.end() ? 0 : hopt->second}};
  }
}

/// Point j of a grid of n points from a to b.
double grid_point(double a, double b, std::int64_t n, std::int64_t j) {
  return a + (b - a) * (static_cast<double>(j) / static_cast<double>(n - 1));
}

double of_scale(const SearchKey& key, double value) {
  return key.log ? variance::log(value) : value;
}

/// Rounded to six significant digits, so that identities do not depend on the exp() of a mathematics library, and the
/// values tried are readable.
double from_scale(const SearchKey& key, double value) {
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, key.log ? std::exp(value) : value, std::chars_format::general, 6);
  double rounded = value;
  std::from_chars(text, end.ptr, rounded);
  return rounded;
}

double noisy_point(const SearchKey& key, std::uint64_t seed, std::int64_t place) {
  const double a = of_scale(key, key.low), b = of_scale(key, key.high);
  const double half = (b - a) / static_cast<double>(key.points - 1) / 2.0;
  variance::Stream draws(variance::derive(variance::derive(seed, "grid"), key.key));
  const double low = variance::uniform(draws.next(), a - half, a + half);
  const double high = variance::uniform(draws.next(), b - half, b + half);
  return from_scale(key, grid_point(low, high, key.points, place));
}

double random_point(const SearchKey& key, std::uint64_t seed, std::int64_t number) {
  variance::Stream draws(variance::derive(variance::derive(seed, "random"), key.key), index_of(number));
  const double value = variance::uniform(draws.next(), of_scale(key, key.low), of_scale(key, key.high));
  return std::clamp(from_scale(key, value), key.low, key.high);
}

/// Converts a number to the type of the key. A noisy grid may exceed the bounds of the search by half a step, but never
/// those of the key.
Value as_value(const workloads::Parameter& parameter, double value) {
  if (const auto* range = std::get_if<workloads::Range>(&parameter.allowed)) {
    if (value < range->low) value = range->low;
    if (value > range->high) value = range->high;
  }
  if (std::holds_alternative<std::int64_t>(parameter.fallback)) return static_cast<std::int64_t>(std::llround(value));
  return value;
}

}  // namespace

const std::vector<std::string>& design_words() {
  static const std::vector<std::string> words{"oat", "crossed", "nested", "saltelli", "matched", "ideal", "fix_hopt"};
  return words;
}

const std::vector<std::string>& search_words() {
  static const std::vector<std::string> words{"random", "noisy-grid"};
  return words;
}

std::vector<DesignRow> rows_of(const VarianceDesign& design, const std::vector<std::string>& other, bool searches,
                               std::uint64_t root) {
  auto rows = plain_rows(design, other, root);
  if (searches) add_searches(design, rows);
  return rows;
}

std::int64_t row_count(const VarianceDesign& design) {
  const auto sources = static_cast<std::int64_t>(design.sources.size());
  if (design.design == "oat") return (sources + (sources > 1 ? 1 : 0)) * (design.runs - 1) + 1;
  if (design.design == "saltelli") return design.runs * (sources + 2);
  if (design.design == "matched") return design.runs;
  return design.groups * design.runs;
}

Values searched_values(const workloads::Declaration& declaration, const SearchSpace& space, std::uint64_t seed,
                       std::int64_t number) {
  Values out;
  std::int64_t rest = number;
  for (const auto& key : space.keys) {
    const bool grid = space.method == "noisy-grid";
    const double value = grid ? noisy_point(key, seed, rest % key.points) : random_point(key, seed, number);
    if (grid) rest /= key.points;
    out[key.key] = as_value(*workloads::find_parameter(declaration, key.key), value);
  }
  return out;
}

Json document_of(const VarianceDesign& design) {
  return {{"design", design.design}, {"sources", design.sources}, {"runs", design.runs},
          {"groups", design.groups}, {"metric", design.metric},   {"replicates", design.replicates}};
}

Json document_of(const SearchSpace& space) {
  Json keys = Json::object();
  for (const auto& key : space.keys)
    keys[key.key] = {{"low", results::hex_of_bits(key.low)},
                     {"high", results::hex_of_bits(key.high)},
                     {"log", key.log},
                     {"points", key.points}};
  return {{"method", space.method}, {"trials", space.trials}, {"metric", space.metric}, {"keys", std::move(keys)}};
}

VarianceDesign variance_design_of(const Json& document) {
  const StoredFields fields(document, "study");
  VarianceDesign out{.design = fields.word("design", design_words()),
                     .sources = fields.names("sources"),
                     .runs = fields.integer("runs"),
                     .groups = fields.integer("groups"),
                     .replicates = fields.integer("replicates"),
                     .metric = fields.text("metric")};
  if (out.sources.empty() || (out.design == "crossed" && out.sources.size() != 2))
    fields.wrong("sources", "as many as the design takes");
  constexpr std::int64_t max_runs = 1'000'000;
  const auto sane = [](std::int64_t value) { return value >= 1 && value <= max_runs; };
  if (!sane(out.runs) || !sane(out.groups) || !sane(static_cast<std::int64_t>(out.sources.size()) * out.runs) ||
      !sane(row_count(out)))
    fields.wrong("runs", "1 to 1000000");
  return out;
}

SearchSpace search_space_of(const Json& document) {
  const StoredFields fields(document, "study");
  SearchSpace out{
      .method = fields.text("method"), .trials = fields.integer("trials"), .metric = fields.text("metric"), .keys = {}};
  if (!fields.at("keys").is_object()) fields.wrong("keys", "an object");
  for (const auto& [name, body] : fields.at("keys").items()) {
    const StoredFields key(body, "study");
    out.keys.push_back({.key = name,
                        .low = key.bits("low"),
                        .high = key.bits("high"),
                        .log = key.flag("log"),
                        .points = key.integer("points")});
  }
  return out;
}

}  // namespace retrial::harness::inline study::inline declared
