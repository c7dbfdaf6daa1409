#include "workloads/automl/core/ledger.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "results/text/text.hpp"

namespace retrial::automl::inline core {
std::string bits_text(double value) {
  if (std::isnan(value)) return "f64:7ff8000000000000";
  return "f64:" + results::hex16(std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value));
}

double number_of(const Json& text) {
  if (text.is_string())
    if (const std::string word = text.get<std::string>(); word.starts_with("f64:"))
      if (const auto bits = results::parse_hex16(word.substr(4))) return std::bit_cast<double>(*bits);
  return std::numeric_limits<double>::quiet_NaN();
}

Json values_json(const Chosen& chosen) {
  Json out = Json::object();
  for (const auto& [name, value] : chosen)
    if (const auto* number = std::get_if<double>(&value))
      out[name] = bits_text(*number);
    else
      out[name] = std::get<std::int64_t>(value);
  return out;
}

std::string line_of(const Record& record) {
  const Outcome& outcome = record.outcome;
  Json line{{"config", values_json(record.evaluation.configuration)},
            {"cost", outcome.cost},
            {"error", outcome.error.empty() ? Json() : Json(outcome.error)},
            {"fidelity", record.evaluation.fidelity},
            {"id", record.evaluation.id},
            {"learner", record.learner},
            {"loss", bits_text(outcome.loss)},
            {"origin", record.origin},
            {"parent", record.parent},
            {"vend", record.end},
            {"vstart", record.start},
            {"worker", record.worker}};
  if (!outcome.fold_losses.empty()) {
    line["fold_losses"] = Json::array();
    for (const double loss : outcome.fold_losses) line["fold_losses"].push_back(bits_text(loss));
  }
  return results::canonical(line);
}

Ledger::Ledger(const Json& header) : lines_{results::canonical(header)} {
  chain_.add(lines_.front());
}

void Ledger::append(const Record& record) {
  lines_.push_back(line_of(record));
  chain_.add(lines_.back());
}

std::string Ledger::text() const {
  std::string out;
  for (const std::string& line : lines_) out += line + "\n";
  return out;
}

std::string difference(const std::string& stored, const std::string& now, std::size_t number) {
  if (stored == now) return "";
  const Json left = Json::parse(stored, nullptr, false), right = Json::parse(now);
  if (!left.is_object()) return "differs at " + std::to_string(number) + ": the stored line is no record";
  for (const auto& [field, value] : right.items())
    if (!left.contains(field) || left[field] != value)
      return "differs at " + std::to_string(number) + ", field " + field + ": stored " +
             (left.contains(field) ? left[field].dump() : "nothing") + ", proposed " + value.dump();
  return "differs at " + std::to_string(number);
}

}  // namespace retrial::automl::inline core
