#include "workloads/interface/contradictions.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "determinism/seeds/seeds.hpp"
#include "results/text/error.hpp"

namespace retrial::workloads::inline interface {

namespace {

/// Collects sentences about one folder.
class Complaints {
 public:
  Complaints(std::string name, std::vector<std::string>& all) : name_(std::move(name)), all_(all) {}

  void unless(bool fine, const std::string& sentence) {
    if (!fine) all_.push_back((name_.empty() ? "(unnamed)" : name_) + ": " + sentence);
  }

  template <typename Item>
  void unique(const std::vector<Item>& items, const std::string& what) {
    std::set<std::string> seen;
    for (const auto& item : items) {
      unless(!item.name.empty(), "a " + what + " has no name");
      unless(seen.insert(item.name).second, what + " \"" + item.name + "\" is declared twice");
    }
  }

 private:
  std::string name_;
  std::vector<std::string>& all_;
};

bool fits_type(const Parameter& parameter) {
  const bool text = std::holds_alternative<std::string>(parameter.fallback);
  const bool number = !text && !std::holds_alternative<bool>(parameter.fallback);
  if (const auto* range = std::get_if<Range>(&parameter.allowed)) return number && range->low <= range->high;
  if (const auto* choices = std::get_if<std::vector<std::string>>(&parameter.allowed)) return text && !choices->empty();
  return true;
}

/// The objection of `checked` to a value; empty if it accepts it.
std::string objection(const Declaration& declaration, const std::string& key, const Value& value) {
  try {
    (void)checked(declaration, key, value, "");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

void check_parameters(const Declaration& declaration, Complaints& complaints) {
  complaints.unique(declaration.parameters, "parameter");
  for (const auto& parameter : declaration.parameters) {
    complaints.unless(fits_type(parameter),
                      "the allowed values of parameter \"" + parameter.name + "\" do not fit its type");
    const auto wrong = objection(declaration, parameter.name, parameter.fallback);
    complaints.unless(wrong.empty(), "default rejected: " + wrong);
  }
}

void check_sources(const Declaration& declaration, Complaints& complaints) {
  complaints.unique(declaration.sources, "source");
  for (const auto& source : declaration.sources)
    complaints.unless(determinism::valid_source_name(source.name),
                      "source \"" + source.name + "\" has an illegal name");
  complaints.unless(declaration.sources.empty() || declaration.honours, "declares sources but not when it honors them");
}

/// Only valid presets are tried: an invalid value would reach code that trusts its input.
void check_honoured(const Declaration& declaration, const Variant& variant, Complaints& complaints) {
  if (!declaration.honours) return;
  const auto& sources = declaration.sources;
  for (const auto& name : declaration.honours(resolved(declaration, variant.preset)))
    complaints.unless(
        std::any_of(sources.begin(), sources.end(), [&](const Source& source) { return source.name == name; }),
        "variant \"" + variant.name + "\" honors the undeclared source \"" + name + "\"");
}

void check_variants(const Declaration& declaration, Complaints& complaints) {
  complaints.unique(declaration.variants, "variant");
  complaints.unique(declaration.probes, "probe");
  complaints.unless(!declaration.variants.empty(), "declares no variant");
  for (const auto& variant : declaration.variants) {
    bool fine = true;
    for (const auto& [key, value] : variant.preset) {
      const auto wrong = objection(declaration, key, value);
      complaints.unless(wrong.empty(), "variant \"" + variant.name + "\": " + wrong);
      fine = fine && wrong.empty();
    }
    if (fine) check_honoured(declaration, variant, complaints);
  }
}

void check_flags(const Declaration& declaration, std::set<std::string>& others, Complaints& complaints) {
  for (const auto& flag : declaration.contributes.flags) {
    complaints.unless(others.insert(flag.name).second, "flag --" + flag.name + " is declared twice");
    complaints.unless(find_parameter(declaration, flag.key) != nullptr,
                      "flag --" + flag.name + " sets the undeclared key \"" + flag.key + "\"");
  }
}

void check_data_key(const Declaration& declaration, Complaints& complaints) {
  if (declaration.data_key.empty()) return;
  const auto* key = find_parameter(declaration, declaration.data_key);
  complaints.unless(key != nullptr && key->reads == Reads::place,
                    "data_key \"" + declaration.data_key + "\" is not a key of a place");
}

void check_contribution(const Contribution& contribution, Complaints& complaints) {
  complaints.unique(contribution.views, "view");
  complaints.unique(contribution.listings, "listing");
  complaints.unique(contribution.audits, "audit");
  for (const View& view : contribution.views) {
    complaints.unless(bool(view.make), "view \"" + view.name + "\" has no function that makes it");
    complaints.unique(view.options, "option of view \"" + view.name + "\"");
  }
  for (const Audit& audit : contribution.audits)
    complaints.unless(bool(audit.find), "audit \"" + audit.name + "\" has no function that finds");
  for (const Listing& listing : contribution.listings)
    complaints.unless(bool(listing.rows), "listing \"" + listing.name + "\" has no rows");
}

bool shows_a_study(const Contribution& contribution) {
  return contribution.section || contribution.notes || !contribution.views.empty() || !contribution.audits.empty();
}

}  // namespace

std::vector<std::string> contradictions(std::span<const Declaration> declarations) {
  std::vector<std::string> found;
  std::set<std::string> names, flags;
  for (const auto& declaration : declarations) {
    Complaints complaints(declaration.name, found);
    complaints.unless(!declaration.name.empty(), "a workload has no name");
    complaints.unless(names.insert(declaration.name).second, "is registered twice");
    complaints.unless(!declaration.summary.empty(), "has no summary");
    check_parameters(declaration, complaints);
    check_sources(declaration, complaints);
    complaints.unique(declaration.metrics, "metric");
    check_variants(declaration, complaints);
    check_flags(declaration, flags, complaints);
    check_data_key(declaration, complaints);
    check_contribution(declaration.contributes, complaints);
  }
  return found;
}

std::vector<std::string> contradictions(std::span<const SharedContribution> shared,
                                        std::span<const Declaration> declarations) {
  std::vector<std::string> found;
  std::set<std::string> names;
  for (const Declaration& declaration : declarations) names.insert(declaration.name);
  for (const SharedContribution& each : shared) {
    Complaints complaints(each.name, found);
    complaints.unless(!each.name.empty(), "a shared contribution has no name");
    complaints.unless(names.insert(each.name).second, "another contributor has this name");
    complaints.unless(each.used || !shows_a_study(each.contributes), "does not declare which trials use it");
    check_contribution(each.contributes, complaints);
  }
  return found;
}

}  // namespace retrial::workloads::inline interface
