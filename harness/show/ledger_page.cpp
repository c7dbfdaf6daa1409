#include "harness/show/ledger_page.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "results/report/drawing/numbers.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline show {
namespace {

/// A ledger writes doubles by their bits: "f64:3fb999999999999a".
std::optional<double> double_in(const Json& value) {
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  if (!text.starts_with("f64:")) return std::nullopt;
  const auto bits = results::parse_hex16(text.substr(4));
  return bits ? std::optional(std::bit_cast<double>(*bits)) : std::nullopt;
}

std::string readable(const Json& value) {
  if (const auto number = double_in(value)) return report::short_text(*number, 6);
  if (value.is_null()) return "";
  if (value.is_string()) return results::one_line(value.get<std::string>(), 100);
  if (value.is_array()) {
    std::vector<std::string> parts;
    for (const Json& one : value) parts.push_back(readable(one));
    return results::joined(parts, " ");
  }
  if (!value.is_object()) return results::canonical(value);
  std::vector<std::string> parts;
  for (const auto& [key, one] : value.items()) parts.push_back(key + "=" + readable(one));
  return results::joined(parts, " ");
}

/// Both with their bits, where the decimals do not tell them apart.
std::pair<std::string, std::string> two_sides(const FieldDifference& difference) {
  const auto side = [](const Json& value) { return value.is_null() ? std::string("nothing") : readable(value); };
  auto a = side(difference.a), b = side(difference.b);
  if (a != b) return {a, b};
  return {a + " (" + results::canonical(difference.a) + ")", b + " (" + results::canonical(difference.b) + ")"};
}

void add_differences(const std::string& field, const Json& a, const Json& b, std::vector<FieldDifference>& to) {
  if (a == b) return;
  if (!a.is_object() || !b.is_object()) return to.push_back({field, a, b});
  std::set<std::string> keys;
  for (const Json* side : {&a, &b})
    for (const auto& [key, value] : side->items()) keys.insert(key);
  for (const auto& key : keys)
    add_differences(field.empty() ? key : field + "." + key, a.value(key, Json()), b.value(key, Json()), to);
}

std::vector<FieldDifference> differences(const Json& a, const Json& b) {
  std::vector<FieldDifference> out;
  add_differences("", a, b, out);
  return out;
}

/// Fields of the records that are not empty everywhere; objects last, because they are long. Lists are in the JSON.
std::vector<std::string> columns_of(const std::vector<Json>& records) {
  std::set<std::string> plain, wide;
  for (const Json& record : records)
    for (const auto& [key, value] : record.items())
      if (!value.is_null() && !value.is_array()) (value.is_object() ? wide : plain).insert(key);
  std::vector<std::string> out(plain.begin(), plain.end());
  out.insert(out.end(), wide.begin(), wide.end());
  return out;
}

bool is_number(const Json& value) {
  return value.is_number() || double_in(value);
}

Json fields_json(const std::vector<FieldDifference>& differences) {
  Json out = Json::array();
  for (const auto& one : differences) out.push_back({{"field", one.field}, {"a", one.a}, {"b", one.b}});
  return out;
}

report::Table table_of(const std::string& caption, const std::vector<FieldDifference>& differences,
                       const std::string& a, const std::string& b) {
  report::Table table{.caption = caption, .columns = {"field", a, b}};
  for (const auto& one : differences) {
    const auto [left, right] = two_sides(one);
    table.rows.push_back({one.field, left, right});
  }
  return table;
}

}  // namespace

StoredLedger ledger_from(const std::string& text, const std::string& trial) {
  StoredLedger out{.trial = trial, .header = {}, .records = {}};
  std::size_t number = 0;
  for (std::size_t from = 0; from < text.size(); ++number) {
    const auto end = std::min(text.find('\n', from), text.size());
    Json line = Json::parse(text.substr(from, end - from), nullptr, false);
    if (!line.is_object())
      throw Error({.exit = Exit::integrity,
                   .code = "ledger.line",
                   .where = trial,
                   .problem = "line " + std::to_string(number + 1) + " of its ledger is no JSON object",
                   .help = "retrial verify finds all damage of a store"});
    if (number == 0)
      out.header = std::move(line);
    else
      out.records.push_back(std::move(line));
    from = end + 1;
  }
  return out;
}

report::Part ledger_part(const StoredLedger& ledger) {
  report::Section section{.id = "ledger", .title = "Ledger of " + ledger.trial};
  report::Facts head;
  for (const auto& [key, value] : ledger.header.items()) head.rows.push_back({key, readable(value)});
  section.blocks.emplace_back(std::move(head));
  report::Table table;
  const auto columns = columns_of(ledger.records);
  table.columns.push_back(report::right("record"));
  for (const auto& key : columns)
    table.columns.push_back({key, !ledger.records.empty() && is_number(ledger.records.front().value(key, Json()))});
  for (std::size_t i = 0; i < ledger.records.size(); ++i) {
    std::vector<report::Cell> row{std::to_string(i)};
    for (const auto& key : columns) row.emplace_back(readable(ledger.records[i].value(key, Json())));
    table.rows.push_back(std::move(row));
  }
  section.blocks.emplace_back(std::move(table));
  return {.section = std::move(section),
          .data = {{"schema", "retrial.show_ledger/1"},
                   {"trial", ledger.trial},
                   {"header", ledger.header},
                   {"records", ledger.records}}};
}

LedgerDifference difference_of(const StoredLedger& a, const StoredLedger& b) {
  LedgerDifference out{.header = differences(a.header, b.header)};
  const auto both = std::min(a.records.size(), b.records.size());
  for (std::size_t i = 0; i < both && out.record < 0; ++i)
    if (a.records[i] != b.records[i]) {
      out.record = static_cast<std::int64_t>(i);
      out.fields = differences(a.records[i], b.records[i]);
    }
  if (out.record >= 0 || a.records.size() == b.records.size()) return out;
  out.record = static_cast<std::int64_t>(both);
  out.fields = {{"records", a.records.size(), b.records.size()}};
  return out;
}

report::Part difference_part(const StoredLedger& a, const StoredLedger& b, const LedgerDifference& difference) {
  report::Section section{.id = "ledger-difference", .title = "Ledgers of " + a.trial + " and " + b.trial};
  if (!difference.header.empty()) section.blocks.emplace_back(table_of("Header", difference.header, a.trial, b.trial));
  if (difference.record >= 0)
    section.blocks.emplace_back(table_of("The first record that differs: number " + std::to_string(difference.record),
                                         difference.fields, a.trial, b.trial));
  else
    section.blocks.emplace_back(report::Paragraph{"All " + std::to_string(a.records.size()) + " records are equal."});
  Json data{{"schema", "retrial.ledger_difference/1"},
            {"trial", a.trial},
            {"against", b.trial},
            {"equal", difference.equal()},
            {"header", fields_json(difference.header)},
            {"record", difference.record < 0 ? Json() : Json(difference.record)},
            {"fields", fields_json(difference.fields)}};
  return {.section = std::move(section), .data = std::move(data)};
}

}  // namespace retrial::harness::inline show
