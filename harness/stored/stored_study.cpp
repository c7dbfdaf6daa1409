#include "harness/stored/stored_study.hpp"

#include "harness/plan/trial_body.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline stored {
namespace {

/// Fields of one stored document; what is missing or of another type is damage, not a mistake of the user.
class Fields {
 public:
  Fields(const Json& document, std::string kind) : document_(document), kind_(std::move(kind)) {}

  [[nodiscard]] std::string text(const std::string& key) const {
    if (!at(key).is_string()) wrong(key, "text");
    return at(key).get<std::string>();
  }
  [[nodiscard]] std::optional<std::string> text_or_null(const std::string& key) const {
    if (!document_.contains(key) || at(key).is_null()) return {};
    return text(key);
  }
  [[nodiscard]] std::int64_t integer(const std::string& key) const {
    if (!at(key).is_number_integer()) wrong(key, "a whole number");
    return at(key).get<std::int64_t>();
  }
  [[nodiscard]] double bits(const std::string& key) const {
    const auto value = results::double_from_hex(text(key));
    if (!value) wrong(key, "16 hex digits of a double");
    return *value;
  }
  [[nodiscard]] std::optional<double> bits_or_null(const std::string& key) const {
    if (!document_.contains(key) || at(key).is_null()) return {};
    return bits(key);
  }
  [[nodiscard]] std::vector<std::string> names(const std::string& key) const {
    if (!at(key).is_array()) wrong(key, "a list of names");
    std::vector<std::string> out;
    for (const Json& item : at(key)) {
      if (!item.is_string()) wrong(key, "a list of names");
      out.push_back(item.get<std::string>());
    }
    return out;
  }
  [[nodiscard]] std::optional<std::pair<double, double>> interval_or_null(const std::string& key) const {
    if (!document_.contains(key) || at(key).is_null()) return {};
    const auto ends = names(key);
    if (ends.size() != 2) wrong(key, "two numbers");
    const auto low = results::double_from_hex(ends[0]), high = results::double_from_hex(ends[1]);
    if (!low || !high) wrong(key, "two numbers of 16 hex digits");
    return std::pair{*low, *high};
  }
  [[nodiscard]] std::vector<std::int64_t> integers_or_none(const std::string& key) const {
    std::vector<std::int64_t> out;
    if (!document_.contains(key)) return out;
    if (!at(key).is_array()) wrong(key, "a list of whole numbers");
    for (const Json& item : at(key)) {
      if (!item.is_number_integer()) wrong(key, "a list of whole numbers");
      out.push_back(item.get<std::int64_t>());
    }
    return out;
  }
  [[nodiscard]] const Json& at(const std::string& key) const {
    if (!document_.is_object() || !document_.contains(key)) wrong(key, "present");
    return document_.at(key);
  }
  [[noreturn]] void wrong(const std::string& key, const std::string& allowed) const {
    throw Error({.exit = Exit::integrity,
                 .code = "store.document",
                 .where = kind_ + " document",
                 .field = key,
                 .problem = "missing or of the wrong form",
                 .allowed = allowed,
                 .help = "retrial verify STORE lists what is damaged"});
  }

 private:
  const Json& document_;
  std::string kind_;
};

std::vector<VariantView> variant_views(const Fields& study) {
  if (!study.at("variants").is_array()) study.wrong("variants", "a list");
  std::vector<VariantView> out;
  for (const Json& item : study.at("variants")) {
    const Fields fields(item, "study");
    out.push_back({.name = fields.text("name"), .preset = fields.text("preset"), .values = fields.at("values")});
    out.back().search_of = fields.text_or_null("search_of");
    if (!item.contains("test_items")) continue;
    const Fields items(fields.at("test_items"), "study");
    for (const auto& [metric, count] : fields.at("test_items").items())
      out.back().test_items[metric] = items.integer(metric);
  }
  return out;
}

}  // namespace

DesignView design_view(const results::Digest& digest, const Json& document) {
  const Fields fields(document, "design");
  return {.digest = digest,
          .alpha = fields.bits("alpha"),
          .beta = fields.bits("beta"),
          .gamma = fields.bits("gamma"),
          .tie_limit = fields.bits("tie_limit"),
          .margin = fields.bits_or_null("margin"),
          .failure = fields.text("failure"),
          .family = fields.text("family"),
          .test = fields.text("test"),
          .metric = fields.text("metric"),
          .direction = fields.text("direction"),
          .baseline = fields.text("baseline"),
          .candidate = fields.text("candidate"),
          .pairs = fields.integer("pairs"),
          .randomised = fields.names("randomised"),
          .frozen = fields.names("frozen"),
          .sides = fields.text_or_null("sides").value_or("one"),
          .gamma_mode = fields.text_or_null("gamma_mode").value_or("paired"),
          .correlation = fields.bits_or_null("correlation"),
          .band = fields.interval_or_null("band"),
          .range = fields.interval_or_null("range"),
          .looks = fields.integers_or_none("looks"),
          .document = document};
}

StudyView read_study(const results::Store& store, const results::StudyRow& row) {
  const Fields fields(row.document, "study");
  StudyView out{.digest = row.digest,
                .name = row.name,
                .workload = fields.text("workload"),
                .seed = fields.text("seed"),
                .pairs = fields.integer("pairs"),
                .vary = fields.names("vary"),
                .hold = fields.names("hold"),
                .mode = fields.at("mode"),
                .variants = variant_views(fields),
                .baseline = fields.text_or_null("baseline"),
                .candidate = fields.text_or_null("candidate"),
                .metric = fields.text_or_null("metric")};
  if (const auto hex = fields.text_or_null("design")) {
    const auto digest = results::digest_from_hex(*hex, "design of study " + row.name);
    const auto document = store.document(digest);
    if (!document) fields.wrong("design", "the digest of a stored document");
    out.design = design_view(digest, *document);
  }
  if (row.document.contains("variance")) out.variance = variance_design_of(row.document.at("variance"));
  if (row.document.contains("search")) out.search = search_space_of(row.document.at("search"));
  if (row.document.contains("claims")) out.claims = registered_claims_of(row.document.at("claims"));
  out.plan = store.plan_listing(row.digest);
  return out;
}

std::vector<VariantView> judged_variants(const StudyView& study) {
  std::vector<VariantView> out;
  for (const auto& variant : study.variants)
    if (!variant.search_of) out.push_back(variant);
  return out;
}

Values values_of(const workloads::Declaration& declaration, const VariantView& variant) {
  return values_stored(declaration, variant.values);
}

}  // namespace retrial::harness::inline stored
