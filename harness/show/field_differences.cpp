#include "harness/show/field_differences.hpp"

#include "harness/show/manifest_text.hpp"
#include "harness/show/usual_cause.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline show {
namespace {

report::Table fields_table(std::string caption, const std::vector<determinism::FieldDifference>& fields,
                           const ManifestPair& pair) {
  report::Table out{.caption = std::move(caption), .columns = {"field", pair.name_a, pair.name_b}};
  for (const auto& field : fields) out.rows.push_back({field.path, cut_value(field.a), cut_value(field.b)});
  return out;
}

std::string hidden_text(std::size_t count) {
  return counted(static_cast<std::int64_t>(count), "further field") + " that cannot change bits differ" +
         (count == 1 ? "s" : "") + " (times, names, evidence); --all prints them";
}

}  // namespace

std::string cut_value(const std::string& text) {
  constexpr std::size_t most = 40;
  const std::string line = results::one_line(text);
  return line.size() <= most ? line : results::one_line(line.substr(0, most)) + "...";
}

determinism::Explanation explanation_of(const ManifestPair& pair) {
  return determinism::diff_manifests(pair.a, pair.b, pair.equal);
}

report::Fact explanation_fact(const determinism::Explanation& e) {
  using enum report::Tone;
  if (e.verdict == "same_bits")
    return {"verdict",
            {"SAME BITS", good},
            std::string("every outcome metric and digest is equal") +
                (e.explanatory.empty() ? "" : "; the fields below differ, but had no effect")};
  if (e.verdict == "explained_by")
    return {"verdict", {"EXPLAINED", settled}, "the fields below differ; each is a possible cause, not a proven one"};
  if (e.label == "permitted")
    return {"verdict",
            {"UNEXPLAINED (permitted)", open},
            "no recorded field explains the difference, but at least one trial ran in a nondeterministic kernel mode, "
            "which does not promise equal bits"};
  return {"verdict",
          {"UNEXPLAINED (violation)", bad},
          "both trials ran in a deterministic kernel mode and no recorded field differs; the cause is a race, or a "
          "setting that is not recorded"};
}

std::vector<report::Block> field_blocks(const ManifestPair& pair, bool all) {
  std::vector<report::Block> out;
  const Json a = readable_manifest(pair.a), b = readable_manifest(pair.b);
  const auto e = determinism::diff_manifests(a, b, pair.equal);
  if (!e.explanatory.empty())
    out.emplace_back(fields_table("Fields that can change bits, most specific first", e.explanatory, pair));
  if (all && !e.others.empty())
    out.emplace_back(fields_table("Fields that cannot change bits (times, names, evidence)", e.others, pair));
  if (!all && !e.others.empty()) out.emplace_back(report::Paragraph{hidden_text(e.others.size())});
  if (e.verdict == "unexplained")
    if (auto cause = usual_cause(pair.a, pair.b); !cause.empty()) out.emplace_back(report::Paragraph{std::move(cause)});
  return out;
}

Json fields_json(const std::vector<determinism::FieldDifference>& fields) {
  Json out = Json::array();
  for (const auto& field : fields) out.push_back({{"field", field.path}, {"a", field.a}, {"b", field.b}});
  return out;
}

}  // namespace retrial::harness::inline show
