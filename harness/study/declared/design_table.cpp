#include "harness/study/declared/design_table.hpp"

#include <algorithm>

#include "harness/text/names.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/designs/design_family.hpp"

namespace retrial::harness::inline study::inline declared {
namespace {

using variance::Design;

constexpr double unbounded = 1e300;

using Words = std::vector<std::string>;

const Words& words_of(variance::FailurePolicy) {
  static const Words words{"loss", "drop", "refuse"};
  return words;
}
const Words& words_of(variance::Sides) {
  static const Words words{"one", "two"};
  return words;
}

/// A verdict says which variant is better: a test of spread cannot be what a design declares.
Words tests_of_the_level() {
  Words names;
  for (const auto& test : variance::all_comparisons())
    if (test.about == variance::About::level) names.emplace_back(test.name);
  return names;
}

template <typename T>
Json member_json(const T& member) {
  if constexpr (std::is_enum_v<T>)
    return words_of(member).at(static_cast<std::size_t>(member));
  else
    return member;
}
template <typename T>
Json member_json(const std::optional<T>& member) {
  return member ? Json(*member) : Json();
}
Json member_json(const std::vector<std::int64_t>& counts) {
  return counts.empty() ? Json() : Json(counts);
}

template <typename T>
void assign(const Json& value, T& member) {
  if constexpr (std::is_enum_v<T>)
    member = static_cast<T>(std::ranges::find(words_of(member), value.get<std::string>()) - words_of(member).begin());
  else
    value.get_to(member);
}
template <typename T>
void assign(const Json& value, std::optional<T>& member) {
  member = value.get<T>();
}

/// Builds a row: the field first, then its deviations from an optional field that always has a meaning.
struct Row : DesignField {
  Row of(const Words& words) { return choices = words, *this; }
  Row within(const workloads::Range& allowed) { return range = allowed, *this; }
  Row read_by(Json (*getter)(const Design&)) { return get = getter, *this; }
  Row only(bool (*where)(const Design&), const std::string& help) { return has_meaning = where, belongs = help, *this; }
  Row shown_as(const std::string& text, bool share = false) { return label = text, percent = share, *this; }
  Row written(Written document, Written file) { return in_document = document, in_file = file, *this; }
  Row always() { return written(Written::always, Written::always); }
};

template <auto Member>
Row field(const std::string& name, FieldKind kind, const std::string& value_name, const std::string& meaning) {
  return {{.name = name,
           .kind = kind,
           .value_name = value_name,
           .meaning = meaning,
           .get = [](const Design& design) { return member_json(design.*Member); },
           .set = [](const Json& value, Design& design) { assign(value, design.*Member); }}};
}

bool has_gamma(const Design& design) {
  return design.gamma.has_value();
}
const std::string gamma_to_add = "declare the smallest share of pairs won that matters, too: gamma = 0.75";

/// Its value follows from the correlation.
Row gamma_mode() {
  return {{.name = "gamma_mode",
           .value_name = "MODE",
           .meaning = "whether gamma refers to paired or to independent runs",
           .get = [](const Design& design) -> Json { return design.correlation ? "unpaired" : "paired"; },
           .set = [](const Json&, Design&) {},
           .choices = {"paired", "unpaired"},
           .has_meaning = has_gamma,
           .belongs = gamma_to_add}};
}

std::vector<DesignField> rows() {
  using enum FieldKind;
  using enum Written;
  return {
      field<&Design::alpha>("alpha", number, "X", "false-positive rate").within({0, 0.5, true, true}).always(),
      field<&Design::beta>("beta", number, "X", "rate of missed differences of at least gamma")
          .within({0, 0.5, true, true})
          .only(has_gamma, gamma_to_add)
          .always(),
      field<&Design::gamma>("gamma", number, "X",
                            "smallest share of pairs won that matters; without it nothing is NOT MEANINGFUL")
          .within({0.5, 1, true, true}),
      field<&Design::margin>("margin", number, "M",
                             "fixed designs only: smaller differences count as equivalent, in units of the metric")
          .within({0, unbounded, true, true})
          .only([](const Design& d) { return !d.sequential(); },
                "only a fixed design judges equivalence in units of the metric")
          .written(always, if_declared),
      field<&Design::tie_limit>("tie_limit", number, "X", "largest share of tied pairs that still allows a verdict")
          .within({0, 1, false, true})
          .shown_as("largest share of ties", true)
          .always(),
      field<&Design::failure>("failure", text, "POLICY",
                              "a failed trial counts as a loss, drops its pair, or prevents a verdict")
          .of(words_of(variance::FailurePolicy()))
          .shown_as("failed trials")
          .always(),
      field<&Design::retries>("retries", whole, "N",
                              "how often a trial may be run again after it failed, timed out or ran out of memory")
          .within({0, 100, false, false})
          .shown_as("retries of a failed trial"),
      field<&Design::family>("family", text, "NAME",
                             "when to test: once at the end, or sequentially (retrial list designs)")
          .of(names_in(variance::all_design_families()))
          .written(always, if_declared),
      field<&Design::test>("test", text, "NAME", "fixed designs only: test of two variants (retrial list tests)")
          .of(tests_of_the_level())
          .only([](const Design& d) { return variance::family_of(d).data == variance::SequentialData::wins; },
                "a fixed design may use any test")
          .written(always, if_declared),
      field<&Design::sides>("sides", text, "WHICH", "alpha for each of BETTER and WORSE, or for both together")
          .of(words_of(variance::Sides())),
      gamma_mode(),
      field<&Design::correlation>("correlation", number, "R",
                                  "correlation of paired scores, which converts a gamma for independent runs")
          .within({-1, 1, true, true})
          .only(has_gamma, gamma_to_add),
      field<&Design::band>("band", interval, "LOW,HIGH", "shares of pairs won around 0.5 that count as equivalent")
          .only([](const Design& d) { return d.family == "dual_e" || (!d.sequential() && d.test == "pab_exact"); },
                "a band needs family = \"dual_e\", or a fixed design with test = \"pab_exact\""),
      field<&Design::range>("range", interval, "LOW,HIGH", "betting only: lowest and highest possible score")
          .only([](const Design& d) { return d.family == "betting"; }, "it needs family = \"betting\""),
      field<&Design::pairs>("n_max", whole, "N", "sequential designs only: maximum number of pairs, instead of pairs")
          .read_by([](const Design& d) { return d.sequential() ? Json(d.pairs) : Json(); })
          .within({1, max_sequential_pairs})
          .only([](const Design& d) { return d.sequential(); },
                "use pairs = N, or a sequential family, such as family = \"dual_e\" with gamma = 0.75")
          .written(if_declared, never),
      // In a document the spending function is the name of the test.
      field<&Design::spending>(
          "spending", text, "NAME",
          "group_sequential only: alpha spending, with conservative early looks or easier early stopping")
          .of({"obrien_fleming", "pocock"})
          .only([](const Design& d) { return d.family == "group_sequential"; },
                "it needs family = \"group_sequential\"")
          .written(never, always),
      field<&Design::looks>("looks", counts, "K",
                            "group_sequential and group_permutation only: number of looks (default 5), or the pairs at "
                            "each look")
          .only([](const Design& d) { return variance::family_of(d).looks; },
                "it needs family = \"group_sequential\" or \"group_permutation\""),
  };
}

}  // namespace

const std::vector<DesignField>& design_table() {
  static const std::vector<DesignField> table = rows();
  return table;
}

const DesignField& design_field(const std::string& name) {
  return *std::ranges::find(design_table(), name, &DesignField::name);
}

std::string DesignField::help() const {
  return fallback().empty() ? meaning : meaning + "; default " + fallback();
}

std::string DesignField::form() const {
  if (kind == FieldKind::whole) return "whole number";
  if (kind == FieldKind::interval) return "two numbers";
  if (kind == FieldKind::counts) return "whole number, or list";
  if (kind == FieldKind::number)
    return range.high >= unbounded ? "number" : short_text(range.low) + " to " + short_text(range.high);
  if (!closed()) return "text";
  return results::joined({choices.begin(), choices.end() - 1}) + " or " + choices.back();
}

std::string DesignField::allowed() const {
  if (!choices.empty()) return results::joined(choices);
  if (range.high >= unbounded) return name + " > " + short_text(range.low);
  return short_text(range.low) + (range.low_open ? " < " : " <= ") + name + (range.high_open ? " < " : " <= ") +
         short_text(range.high);
}

std::string DesignField::fallback() const {
  return field_text(get({}));
}

bool DesignField::declared(const Design& design) const {
  const Json value = get(design);
  return !value.is_null() && value != get({});
}

std::string field_text(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return std::to_string(value.get<std::int64_t>());
  if (value.is_number()) return results::text_of(value.get<double>());
  std::vector<std::string> texts;
  for (const Json& item : value) texts.push_back(field_text(item));
  return results::joined(texts);
}

}  // namespace retrial::harness::inline study::inline declared
