#include "harness/stored/fact_filter.hpp"

#include <algorithm>
#include <optional>

#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline stored {
namespace {

/// Longer ones first: "<" begins "<=".
constexpr const char* operators[] = {"!=", "<=", ">=", "=", "<", ">", "~"};

[[noreturn]] void refuse(const std::string& field, const std::string& value, const std::string& problem,
                         const std::string& allowed, const std::string& help = {}) {
  throw Error({.code = "usage.where",
               .field = field,
               .value = results::one_line(value, 200),
               .problem = problem,
               .allowed = allowed,
               .help = help});
}

/// The text between two "and", which are no part of a quoted value.
std::vector<std::string> parts_of(const std::string& text, const std::string& field) {
  std::vector<std::string> out(1);
  char quote = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0 ? c == quote : c == '\'' || c == '"') quote = quote != 0 ? 0 : c;
    if (quote == 0 && text.compare(at, 5, " and ") == 0) {
      out.emplace_back();
      at += 4;
      continue;
    }
    out.back() += c;
  }
  if (quote != 0) refuse(field, text, "has a quote that is not closed", "KEY OP VALUE and ...");
  return out;
}

std::string trimmed_ends(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string unquoted(const std::string& text) {
  const bool quoted = text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

/// -1, 0 or 1: as numbers where both are.
int compared(const std::string& a, const std::string& b) {
  const auto x = results::parse_double(a), y = results::parse_double(b);
  if (x && y) return *x < *y ? -1 : *x > *y ? 1 : 0;
  const int order = a.compare(b);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

bool holds(const std::string& value, const std::string& op, const std::string& wanted) {
  if (op == "~") return value.find(wanted) != std::string::npos;
  const int order = compared(value, wanted);
  if (op == "=") return order == 0;
  if (op == "!=") return order != 0;
  if (op == "<") return order < 0;
  if (op == "<=") return order <= 0;
  return op == ">" ? order > 0 : order >= 0;
}

}  // namespace

FactFilter::FactFilter(const std::string& text, std::string field) : field_(std::move(field)) {
  for (const std::string& part : parts_of(text, field_)) {
    std::size_t at = part.size();
    std::string op;
    for (const char* each : operators)
      if (const auto found = part.find(each); found < at) at = found, op = each;
    Condition out{.key = trimmed_ends(part.substr(0, at)), .op = op, .value = {}};
    if (op.empty() || out.key.empty())
      refuse(field_, part, "is no condition", "KEY OP VALUE joined by and; OP is = != < <= > >= or ~",
             "for example 'benchmark ~ sort and cpu_cores >= 8'");
    out.value = unquoted(trimmed_ends(part.substr(at + op.size())));
    conditions_.push_back(std::move(out));
  }
}

void FactFilter::require_known(const std::set<std::string>& keys) const {
  const std::vector<std::string> all(keys.begin(), keys.end());
  for (const Condition& condition : conditions_) {
    if (keys.contains(condition.key)) continue;
    const auto near = results::nearest(condition.key, all);
    refuse(field_, condition.key, "no such fact is recorded", results::joined(all),
           near ? "did you mean " + *near + "?" : "");
  }
}

bool FactFilter::asks_for(const std::string& key) const {
  return std::ranges::any_of(conditions_, [&](const Condition& condition) { return condition.key == key; });
}

bool FactFilter::fits_key(const std::string& key, const std::string& value) const {
  return std::ranges::all_of(conditions_, [&](const Condition& condition) {
    return condition.key != key || holds(value, condition.op, condition.value);
  });
}

bool FactFilter::fits(const Facts& facts) const {
  return std::ranges::all_of(conditions_, [&](const Condition& condition) {
    const auto found = facts.find(condition.key);
    if (found == facts.end() || found->second.empty()) return false;
    const auto fits_it = [&](const std::string& value) { return holds(value, condition.op, condition.value); };
    return condition.op == "!=" ? std::ranges::all_of(found->second, fits_it)
                                : std::ranges::any_of(found->second, fits_it);
  });
}

}  // namespace retrial::harness::inline stored
