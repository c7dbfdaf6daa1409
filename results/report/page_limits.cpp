#include "results/report/page_limits.hpp"

#include <algorithm>

#include "results/report/render.hpp"

namespace retrial::report {
namespace {

void remark(Table& table, const std::string& shown, std::size_t all) {
  table.caption += (table.caption.empty() ? "" : " ") + shown + " of " + std::to_string(all) +
                   " rows; all of them: retrial report --full.";
}

/// Every k-th row and the last: rows of a figure follow a line that is still recognized.
void thin_rows(Table& table, std::size_t limit) {
  const std::size_t all = table.rows.size(), step = (all + limit - 1) / limit;
  if (step <= 1) return;
  std::vector<std::vector<Cell>> kept;
  for (std::size_t i = 0; i < all; ++i)
    if (i % step == 0 || i + 1 == all) kept.push_back(std::move(table.rows[i]));
  table.rows = std::move(kept);
  remark(table, "Every " + std::to_string(step) + (step == 2 ? "nd" : step == 3 ? "rd" : "th"), all);
}

std::size_t bytes_of(const std::vector<Cell>& row) {
  constexpr std::size_t markup = 10;  // bytes per cell
  std::size_t out = 0;
  for (const auto& cell : row) out += cell.size() + markup;
  return out;
}

void cut_rows(Table& table, std::size_t limit) {
  std::size_t bytes = 0, kept = 0;
  while (kept < table.rows.size() && (kept == 0 || bytes + bytes_of(table.rows[kept]) <= limit))
    bytes += bytes_of(table.rows[kept++]);
  const std::size_t all = table.rows.size();
  if (kept == all) return;
  table.rows.resize(kept);
  remark(table, "The first " + std::to_string(kept), all);
}

void leave_out_data(Json& data, std::size_t limit) {
  std::vector<std::pair<std::size_t, std::string>> sizes;
  std::size_t total = 0;
  for (const auto& [name, value] : data.items()) {
    sizes.emplace_back(results::printed(value).size(), name);
    total += sizes.back().first;
  }
  std::ranges::sort(sizes, std::ranges::greater{});
  Json names = Json::array();
  for (const auto& [bytes, name] : sizes) {
    if (total <= limit) break;
    data.erase(name);
    names.push_back(name);
    total -= bytes;
  }
  if (!names.empty()) data["left_out"] = std::move(names);
}

}  // namespace

void limit_page(Report& report, const PageLimits& limits) {
  for (auto& section : report.sections)
    for (auto& block : section.blocks) {
      auto* figure = std::get_if<Figure>(&block);
      if (figure != nullptr && !figure->open) thin_rows(figure->data, limits.figure_rows);
      if (auto* table = figure != nullptr ? &figure->data : std::get_if<Table>(&block))
        cut_rows(*table, figure != nullptr && figure->open ? limits.open_bytes : limits.table_bytes);
    }
  leave_out_data(report.data, limits.data_bytes);
}

std::string limited_html(const Report& report) {
  constexpr std::size_t most_bytes = 480'000, least_share = 8;
  for (std::size_t share = 1;; share *= 2) {
    Report shortened = report;
    PageLimits limits;
    for (std::size_t* limit : {&limits.figure_rows, &limits.table_bytes, &limits.data_bytes}) *limit /= share;
    limit_page(shortened, limits);
    std::string page = html(shortened);
    if (page.size() <= most_bytes || share == least_share) return page;
  }
}

}  // namespace retrial::report
