#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "results/text/text.hpp"
#include "workloads/published/table.hpp"

namespace retrial::published {
namespace {

/// Printed numbers are rounded to .01, so a difference of two may be off by .01 without an error.
constexpr double rounding = 0.01 + 1e-9;

std::string setting(const Row& row, const std::string& key) {
  const auto found =
      std::find_if(row.protocol.begin(), row.protocol.end(), [&](const auto& s) { return s.key == key; });
  return found == row.protocol.end() ? "" : found->value;
}

auto cell_of(const Row& row) {
  return std::tuple(row.dataset, row.cell, row.method, row.metric, setting(row, "epochs"));
}

std::string number(double value) {
  return results::text_of(Value(value));
}

std::string value_with_origin(const Row& row, bool same_source) {
  return number(row.value) + " (" + (same_source ? row.table + ", " + row.origin : row.source) + ")";
}

void compare(const Row& a, const Row& b, std::vector<Oddity>& out) {
  const double apart = std::fabs(a.value - b.value);
  if (apart <= a.reading + b.reading + 1e-9) return;
  const bool same_source = a.source == b.source;
  out.push_back({same_source ? "conflict" : "rerun",
                 {a.id, b.id},
                 cell_text(a) + ", " + a.metric + ": " + value_with_origin(a, same_source) + " and " +
                     value_with_origin(b, same_source) + ", " + number(std::round(apart * 100) / 100) + " apart"});
}

void check_change(const Row& row, std::vector<Oddity>& out) {
  if (!row.base || !row.printed_change) return;
  const double change = row.value - *row.base;
  if (std::fabs(change - *row.printed_change) <= rounding) return;
  out.push_back({"conflict",
                 {row.id},
                 cell_text(row) + ": printed change " + number(*row.printed_change) + ", but " + number(row.value) +
                     " - " + number(*row.base) + " is " + number(std::round(change * 100) / 100)});
}

void check_cells(const std::vector<Row>& rows, std::vector<Oddity>& out) {
  std::map<decltype(cell_of(rows.front())), std::vector<const Row*>> cells;
  for (const Row& row : rows) cells[cell_of(row)].push_back(&row);
  for (const auto& [cell, members] : cells)
    for (std::size_t i = 0; i < members.size(); ++i)
      for (std::size_t j = i + 1; j < members.size(); ++j) compare(*members[i], *members[j], out);
}

bool same_column(const Row& a, const Row& b) {
  return a.source == b.source && a.table == b.table && a.dataset == b.dataset && a.method == b.method &&
         a.metric == b.metric;
}

void check_duplicates(const std::vector<Row>& rows, std::vector<Oddity>& out) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = i + 1; j < rows.size(); ++j) {
      const Row &a = rows[i], &b = rows[j];
      if (a.value != b.value || a.reading > 0 || a.cell == b.cell || !same_column(a, b)) continue;
      out.push_back({"duplicate",
                     {a.id, b.id},
                     number(a.value) + " is printed for two pairs: " + cell_text(a) + "; " + cell_text(b)});
    }
}

}  // namespace

std::vector<Oddity> oddities(const std::vector<Row>& rows) {
  std::vector<Oddity> out;
  if (rows.empty()) return out;
  check_cells(rows, out);
  for (const Row& row : rows) check_change(row, out);
  check_duplicates(rows, out);
  return out;
}

}  // namespace retrial::published
