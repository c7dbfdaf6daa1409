#include "harness/study/file/study_table.hpp"

#include <algorithm>
#include <cmath>

#include "harness/study/checks/draft_checks.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study::inline file {

std::string StudyTable::where(const toml::node& node) const {
  return path_ + ":" + std::to_string(node.source().begin.line) + ":" + std::to_string(node.source().begin.column);
}

std::string StudyTable::where(const toml::key& key) const {
  return path_ + ":" + std::to_string(key.source().begin.line) + ":" + std::to_string(key.source().begin.column);
}

std::string StudyTable::field(std::string_view key) const {
  return name_.empty() ? std::string(key) : name_ + "." + std::string(key);
}

void StudyTable::add_places(StudyDraft& draft, const std::string& section) const {
  for (const auto& [key, node] : table_)
    draft.places[(section.empty() ? "" : section + ".") + std::string(key.str())] = where(node);
}

void StudyTable::only(const std::vector<std::string>& known) const {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (!draft_checks::contains(known, name))
      throw Error({.code = "study.unknown_key",
                   .where = where(key),
                   .field = field(name),
                   .problem = "unknown key",
                   .allowed = results::joined(known),
                   .help = draft_checks::suggestion(name, known)});
  }
}

void StudyTable::wrong(const toml::node& node, std::string_view key, const std::string& allowed) const {
  throw Error({.code = "study.wrong_type",
               .where = where(node),
               .field = field(key),
               .problem = "wrong type",
               .allowed = allowed});
}

const toml::table* StudyTable::child(std::string_view key, const std::string& allowed) const {
  const auto* node = table_.get(key);
  if (node != nullptr && !node->is_table()) wrong(*node, key, allowed);
  return node == nullptr ? nullptr : node->as_table();
}

StudyTable StudyTable::named(const std::string& name, const toml::node& node) const {
  if (!node.is_table()) StudyTable(table_, path_, "").wrong(node, name, "a table");
  return {*node.as_table(), path_, name};
}

std::optional<std::string> StudyTable::text(std::string_view key) const {
  const auto* node = table_.get(key);
  if (node == nullptr) return {};
  if (!node->is_string()) wrong(*node, key, "text in quotes");
  return node->as_string()->get();
}

std::optional<std::int64_t> StudyTable::integer(std::string_view key) const {
  const auto* node = table_.get(key);
  if (node == nullptr) return {};
  if (!node->is_integer()) wrong(*node, key, "a whole number");
  return node->as_integer()->get();
}

std::optional<double> StudyTable::number(std::string_view key) const {
  const auto* node = table_.get(key);
  if (node == nullptr) return {};
  if (node->is_integer()) return static_cast<double>(node->as_integer()->get());
  if (!node->is_floating_point()) wrong(*node, key, "a number");
  return finite(*node, key);
}

bool StudyTable::flag(std::string_view key) const {
  const auto* node = table_.get(key);
  if (node == nullptr) return false;
  if (!node->is_boolean()) wrong(*node, key, "true or false");
  return node->as_boolean()->get();
}

std::optional<std::vector<std::string>> StudyTable::names(std::string_view key) const {
  const auto* node = table_.get(key);
  if (node == nullptr) return {};
  if (node->is_string() && node->as_string()->get() == "all") return {};
  if (!node->is_array()) wrong(*node, key, "\"all\" or a list of names in quotes");
  std::vector<std::string> out;
  for (const auto& item : *node->as_array()) {
    if (!item.is_string()) wrong(item, key, "names in quotes");
    out.push_back(item.as_string()->get());
  }
  return out;
}

std::optional<std::vector<std::string>> StudyTable::texts(std::string_view key) const {
  const auto* node = table_.get(key);
  if (node == nullptr) return {};
  if (node->is_string()) return std::vector{node->as_string()->get()};
  if (!node->is_array() || node->as_array()->empty()) wrong(*node, key, "text in quotes, or a list of texts");
  return names(key);
}

std::optional<std::vector<double>> StudyTable::numbers(std::string_view key) const {
  const auto* node = table_.get(key);
  if (node == nullptr) return {};
  if (!node->is_array()) wrong(*node, key, "a list of two numbers");
  std::vector<double> out;
  for (const auto& item : *node->as_array()) {
    if (!item.is_number()) wrong(item, key, "numbers");
    out.push_back(item.is_integer() ? static_cast<double>(item.as_integer()->get()) : item.as_floating_point()->get());
  }
  return out;
}

std::optional<std::vector<std::int64_t>> StudyTable::integers(std::string_view key) const {
  const auto* node = table_.get(key);
  if (node == nullptr) return {};
  if (node->is_integer()) return std::vector{node->as_integer()->get()};
  if (!node->is_array()) wrong(*node, key, "a whole number or a list of them");
  std::vector<std::int64_t> out;
  for (const auto& item : *node->as_array()) {
    if (!item.is_integer()) wrong(item, key, "whole numbers");
    out.push_back(item.as_integer()->get());
  }
  return out;
}

std::vector<StudyDraft::Key> StudyTable::keys(const std::vector<std::string>& except,
                                              std::string_view separator) const {
  std::vector<StudyDraft::Key> out;
  for (const auto& [key, node] : in_file_order(table_))
    if (!draft_checks::contains(except, std::string(key->str())))
      out.push_back({std::string(key->str()), scalar(*node, key->str(), separator), where(*node)});
  return out;
}

std::vector<StudyDraft::GridKey> StudyTable::grid(std::string_view separator) const {
  std::vector<StudyDraft::GridKey> out;
  for (const auto& [name, node] : in_file_order(table_)) {
    const std::string key(name->str());
    if (!node->is_array()) wrong(*node, key, "a list of two or more values");
    out.push_back({.key = key, .where = where(*name), .levels = {}});
    for (const auto& item : *node->as_array())
      out.back().levels.push_back({key, scalar(item, key, separator), where(item)});
  }
  return out;
}

double StudyTable::finite(const toml::node& node, std::string_view key) const {
  const double value = node.as_floating_point()->get();
  if (std::isfinite(value)) return value;
  throw Error({.code = "study.not_finite",
               .where = where(node),
               .field = field(key),
               .value = results::text_of(value),
               .problem = "not a finite number"});
}

Value StudyTable::scalar(const toml::node& node, std::string_view key, std::string_view separator) const {
  if (node.is_boolean()) return node.as_boolean()->get();
  if (node.is_integer()) return node.as_integer()->get();
  if (node.is_string()) return node.as_string()->get();
  if (node.is_floating_point()) return finite(node, key);
  // A list is the text of its items: milestones = ["1/3", "2/3"], deltas = [0.5, 1], read = ["accuracy", "loss"].
  if (const auto* list = node.as_array()) {
    std::vector<std::string> items;
    for (const auto& item : *list) {
      if (item.is_string())
        items.push_back(item.as_string()->get());
      else if (item.is_integer())
        items.push_back(std::to_string(item.as_integer()->get()));
      else if (item.is_floating_point())
        items.push_back(results::text_of(finite(item, key)));
      else
        wrong(item, key, "texts or numbers");
    }
    return results::joined(items, separator);
  }
  wrong(node, key, "text, number, true or false");
}

std::vector<std::pair<const toml::key*, const toml::node*>> in_file_order(const toml::table& table) {
  std::vector<std::pair<const toml::key*, const toml::node*>> out;
  for (const auto& [key, node] : table) out.emplace_back(&key, &node);
  std::ranges::sort(out, {}, [](const auto& each) {
    const auto at = each.first->source().begin;
    return std::pair(at.line, at.column);
  });
  return out;
}

}  // namespace retrial::harness::inline study::inline file
