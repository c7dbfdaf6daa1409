#include "harness/ledger/page.hpp"

#include <algorithm>

#include "harness/text/colour.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline ledger {
namespace {

using published::Row, published::Table;

std::string lines(const std::string& text) {
  std::string out;
  for (const auto& line : wrapped(text, terminal_width())) out += line + "\n";
  return out;
}

std::string bullets(const std::vector<std::string>& sentences) {
  TextTable table({{""}, {""}});
  for (const auto& sentence : sentences) table.add({"-", sentence});
  return table.text(2, terminal_width());
}

/// What a block of rows has in common.
std::string heading_of(const Row& row) {
  return row.source + ": " + row.table + ", " + row.dataset + " (" + row.origin + "; " +
         (row.runs ? counted(*row.runs, "run") : "runs not said") + "; epoch: " + published::name_of(row.epoch_rule) +
         "; seeds " + (row.seeds_published ? "published" : "not published") + (row.verified ? ")" : "; not verified)");
}

std::string value_text(const Row& row) {
  return results::text_of(row.value) + (row.reading > 0 ? " +- " + results::text_of(row.reading) : "");
}

TextTable empty_block(const Table& table) {
  std::vector<Column> columns{{"method"}};
  for (const auto& column : table.columns) columns.push_back({column.title});
  columns.insert(columns.end(), {{"metric"}, {"value", Align::right}, {"id"}});
  return TextTable(columns);
}

std::vector<std::string> cells_of(const Table& table, const Row& row) {
  const bool same_name = row.label.empty() || row.label == row.method;
  std::vector<std::string> cells{same_name ? row.method : row.label + " (" + row.method + ")"};
  for (const auto& column : table.columns) {
    const std::string part = part_of(row, column.part);
    cells.push_back(part == "none" ? "" : part);
  }
  cells.insert(cells.end(), {row.metric + (row.unit.empty() ? "" : ", " + row.unit), value_text(row), row.id});
  return cells;
}

std::string rows_text(const Table& table) {
  std::string out;
  for (std::size_t i = 0; i < table.rows.size();) {
    const std::string heading = heading_of(table.rows[i]);
    TextTable block = empty_block(table);
    for (; i < table.rows.size() && heading_of(table.rows[i]) == heading; ++i)
      block.add(cells_of(table, table.rows[i]));
    out += "\n" + lines(heading) + block.text(2);
  }
  return out;
}

std::string oddities_text(const Table& table) {
  const auto found = published::oddities(table.rows);
  if (found.empty()) return "";
  std::vector<std::string> sentences;
  for (const auto& oddity : found) sentences.push_back(oddity.kind + ": " + oddity.text);
  return "\n" + bold("What is odd about them") + "\n" + bullets(sentences);
}

std::string claims_text(const Table& table, double sd) {
  std::string out = "\n" + bold("Conclusions drawn from them, and the runs of each variant they would take") + "\n";
  TextTable gaps({{""}, {"claim"}, {"difference"}, {"value", Align::right}, {"runs", Align::right}});
  for (const auto& claim : table.conclusions)
    for (std::size_t i = 0; i < claim.gaps.size(); ++i) {
      const double gap = published::value_of(table, claim.gaps[i]);
      gaps.add({i == 0 ? claim.name : "", i == 0 ? claim.text : "", claim.gaps[i].what, short_text(gap, 4),
                std::to_string(runs_needed(sd, gap))});
    }
  return out + gaps.text(2, terminal_width()) +
         lines(
             "runs: to find a difference of that size in two independent groups, two-sided 5 %, power 90 %, standard "
             "deviation between seeds " +
             short_text(sd) + " (--sd; " + table.sd_from + ").");
}

std::string interval_text(const variance::PublishedCheck& check) {
  if (!check.difference.low) return "";
  const double claim = check.mean - check.difference.point;
  return "[" + short_text(claim + *check.difference.low, 5) + ", " + short_text(claim + *check.difference.high, 5) +
         "]";
}

std::string coloured(RowOutcome outcome) {
  if (outcome == RowOutcome::confirmed) return green(name_of(outcome));
  return outcome == RowOutcome::refuted ? red(name_of(outcome)) : name_of(outcome);
}

std::vector<std::string> check_cells(const std::optional<variance::PublishedCheck>& check) {
  if (!check) return {"-", "-", "0", "", "-", "-"};
  const auto number = [](const std::optional<double>& value, int digits) {
    return value ? short_text(*value, digits) : std::string("-");
  };
  return {short_text(check->mean, 5), number(check->sd, 3),        std::to_string(check->n),
          interval_text(*check),      number(check->statistic, 4), number(check->p_two, 3)};
}

bool within(const variance::PublishedCheck& check, double margin) {
  return *check.difference.low >= -margin && *check.difference.high <= margin;
}

void add_row(TextTable& table, const JudgedRow& judged) {
  const std::string metric = judged.row.metric == "top-1" ? "" : ": " + judged.row.metric;
  std::vector<std::string> cells{judged.variant, judged.row.table + metric, value_text(judged.row)};
  for (auto& cell : check_cells(judged.check)) cells.push_back(std::move(cell));
  cells.push_back(coloured(judged.outcome));
  table.add(std::move(cells));
  if (!judged.at_best) return;
  std::vector<std::string> best{"", "  at the best test epoch", ""};
  for (auto& cell : check_cells(judged.at_best)) best.push_back(std::move(cell));
  table.add(std::move(best));
}

/// Why a row came out as it did, where a word does not say it.
std::string reason_of(const JudgedRow& judged, double margin) {
  const std::string row = judged.variant + ", " + judged.row.table + ": ";
  if (!judged.reason.empty()) return row + judged.reason;
  const bool by_little = judged.outcome == RowOutcome::refuted && within(*judged.check, margin);
  return by_little ? row + "refuted by less than the margin" : "";
}

/// "wt: 3 trials without excess_slope": they failed, or the study does not measure it.
std::vector<std::string> without_scores(const LedgerReport& report) {
  std::vector<std::pair<std::string, std::vector<std::string>>> found;
  for (const auto& row : report.rows) {
    if (row.failed == 0) continue;
    const std::string trials = row.variant + ": " + counted(static_cast<std::int64_t>(row.failed), "trial");
    auto at = std::ranges::find(found, trials, &std::pair<std::string, std::vector<std::string>>::first);
    if (at == found.end()) at = found.insert(found.end(), {trials, {}});
    if (std::ranges::find(at->second, row.row.our_metric) == at->second.end()) at->second.push_back(row.row.our_metric);
  }
  std::vector<std::string> out;
  for (const auto& [trials, metrics] : found) out.push_back(trials + " without " + results::joined(metrics));
  return out;
}

/// Each once, however many rows it is about.
std::vector<std::string> remarks(const LedgerReport& report) {
  std::vector<std::string> out;
  for (const auto& row : report.rows)
    if (const auto reason = reason_of(row, report.settings.margin);
        !reason.empty() && std::ranges::find(out, reason) == out.end())
      out.push_back(reason);
  out.push_back("confirmed: the 95 % interval of the mean contains the published value and lies within " +
                short_text(report.settings.margin) +
                " of it (--margin); refuted: it does not contain it; undecided: it contains it and reaches further. "
                "The published "
                "value is taken as exact. This is a statement about a number, not a verdict about two variants.");
  out.emplace_back("Every row is judged at 5 % by itself.");
  if (!report.held.empty())
    out.push_back("held, so that their share of the spread is not in the sd: " + results::joined(report.held));
  for (auto& text : without_scores(report)) out.push_back(std::move(text));
  return out;
}

std::string coloured(Stands outcome) {
  if (outcome == Stands::stands) return green(name_of(outcome));
  return outcome == Stands::fails ? red(name_of(outcome)) : name_of(outcome);
}

std::string asked_text(const LedgerReport& report) {
  if (report.claims.empty()) return "";
  TextTable table({{""},
                   {"claim"},
                   {"published difference"},
                   {"", Align::right},
                   {"here"},
                   {"", Align::right},
                   {"95 % interval"},
                   {"pairs", Align::right},
                   {"outcome"}});
  bool elsewhere = false;
  for (const auto& claim : report.claims)
    for (std::size_t i = 0; i < claim.gaps.size(); ++i) {
      const auto& gap = claim.gaps[i];
      elsewhere = elsewhere || !gap.comparable;
      table.add({i == 0 ? claim.name : "", i == 0 ? claim.text : "", gap.gap.what, short_text(gap.published, 3),
                 gap.candidate + " - " + gap.baseline + (gap.comparable ? "" : " *"),
                 gap.difference ? short_text(gap.difference->point, 3) : "-",
                 gap.difference
                     ? "[" + short_text(*gap.difference->low, 3) + ", " + short_text(*gap.difference->high, 3) + "]"
                     : "-",
                 std::to_string(gap.pairs), coloured(gap.outcome)});
    }
  return "\n" + bold("Its conclusions, asked of this study") + "\n" + table.text(2, terminal_width()) +
         lines(
             "stands: the paired 95 % interval lies on the side that was published (of \"at most\": two one-sided "
             "tests "
             "at 5 % show it); fails: on the other side; open: neither. Each by itself.") +
         (elsewhere ? lines("* other data, networks or protocol than published: the conclusion is asked of the same "
                            "methods, and says nothing about the published number.")
                    : "");
}

/// "Rows: 1 refuted, 2 not comparable. Conclusions: 3 stand, 1 open: exit code 1." What there is none of is left out.
std::string summary(const LedgerReport& report) {
  std::vector<std::string> rows, gaps;
  for (const auto outcome :
       {RowOutcome::confirmed, RowOutcome::refuted, RowOutcome::undecided, RowOutcome::not_comparable})
    if (const auto n = rows_with(report, outcome); n > 0) rows.push_back(std::to_string(n) + " " + name_of(outcome));
  for (const auto outcome : {Stands::stands, Stands::fails, Stands::open})
    if (const auto n = gaps_with(report, outcome); n > 0) gaps.push_back(std::to_string(n) + " " + name_of(outcome));
  const auto said = [](const char* what, const std::vector<std::string>& counts) {
    return std::string(what) + (counts.empty() ? "none" : results::joined(counts)) + ". ";
  };
  return "\n" + lines(said("Rows: ", rows) + said("Conclusions: ", gaps) + "Exit code " +
                      std::to_string(static_cast<int>(exit_of(report))) + ".");
}

}  // namespace

std::string ledger_page(const Table& table, double sd) {
  return bold(table.title) + "\n" + rows_text(table) + oddities_text(table) + claims_text(table, sd) + "\n" +
         lines("retrial reproduce " + table.name + " STORE puts the trials of a study beside these rows.");
}

std::string judged_page(const Table& table, const LedgerReport& report) {
  std::string out = bold("Study " + report.study + " beside " + table.name) + "\n\n";
  if (report.rows.empty())
    return out +
           lines(
               "No variant of this study is about a published row: data set, method and networks of a row are "
               "in the keys of none (retrial reproduce " +
               table.name + " lists the rows).") +
           asked_text(report) + summary(report);
  TextTable compared({{"variant"},
                      {"published in"},
                      {"value", Align::right},
                      {"mean", Align::right},
                      {"sd", Align::right},
                      {"n", Align::right},
                      {"95 % interval"},
                      {"t", Align::right},
                      {"p", Align::right},
                      {"outcome"}});
  for (const auto& row : report.rows) add_row(compared, row);
  return out + compared.text(2) + "\n" + bullets(remarks(report)) + asked_text(report) + summary(report);
}

}  // namespace retrial::harness::inline ledger
