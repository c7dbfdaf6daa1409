#include "harness/ledger/page.hpp"

#include <algorithm>

#include "harness/judge/looks/look.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline ledger {
namespace {

using report::right;

using published::Row, published::Table;

using Blocks = std::vector<report::Block>;

/// Properties that the rows of one table share.
std::string heading_of(const Row& row) {
  return row.source + ": " + row.table + ", " + row.dataset + " (" + row.origin + "; " +
         (row.runs ? counted(*row.runs, "run") : "number of runs not reported") +
         "; epoch: " + published::name_of(row.epoch_rule) + "; seeds " +
         (row.seeds_published ? "published" : "not published") + (row.verified ? ")" : "; not verified)");
}

std::string value_text(const Row& row) {
  return results::text_of(row.value) + (row.reading > 0 ? " +- " + results::text_of(row.reading) : "");
}

report::Table empty_table(const Table& table, std::string caption) {
  report::Table out{.caption = std::move(caption), .columns = {"method"}};
  for (const auto& column : table.columns) out.columns.push_back({column.title});
  out.columns.insert(out.columns.end(), {"metric", right("value"), "id"});
  return out;
}

std::vector<report::Cell> cells_of(const Table& table, const Row& row) {
  const bool same_name = row.label.empty() || row.label == row.method;
  std::vector<report::Cell> cells{same_name ? row.method : row.label + " (" + row.method + ")"};
  for (const auto& column : table.columns) {
    const std::string part = part_of(row, column.part);
    cells.emplace_back(part == "none" ? "" : part);
  }
  cells.insert(cells.end(), {row.metric + (row.unit.empty() ? "" : ", " + row.unit), value_text(row), row.id});
  return cells;
}

void add_rows(const Table& table, Blocks& to) {
  for (std::size_t i = 0; i < table.rows.size();) {
    report::Table out = empty_table(table, heading_of(table.rows[i]));
    for (; i < table.rows.size() && heading_of(table.rows[i]) == out.caption; ++i)
      out.rows.push_back(cells_of(table, table.rows[i]));
    to.emplace_back(std::move(out));
  }
}

void add_oddities(const Table& table, Blocks& to) {
  report::List list;
  for (const auto& oddity : published::oddities(table.rows)) list.items.push_back(oddity.kind + ": " + oddity.text);
  if (list.items.empty()) return;
  to.emplace_back(report::Paragraph{"Inconsistencies in these rows:"});
  to.emplace_back(std::move(list));
}

report::Table runs_table(const Table& table, double sd) {
  report::Table out{.caption =
                        "Conclusions drawn from these rows, and the runs per variant that each needs: to detect "
                        "a difference of that size between two independent groups by Welch's test, two-sided "
                        "5 %, power 90 % (noncentral t), standard deviation between seeds " +
                        short_text(sd) + " (--sd; " + table.sd_from + ")",
                    .columns = {"", "claim", "difference", right("value"), right("runs")}};
  for (const auto& claim : table.conclusions)
    for (std::size_t i = 0; i < claim.gaps.size(); ++i) {
      const double gap = published::value_of(table, claim.gaps[i]);
      const auto runs = runs_needed(sd, gap);
      out.rows.push_back({i == 0 ? claim.name : "", i == 0 ? claim.text : "", claim.gaps[i].what, short_text(gap, 4),
                          runs ? std::to_string(*runs) : "> 1000000"});
    }
  return out;
}

std::string interval_text(const variance::PublishedCheck& check) {
  if (!check.difference.low) return "";
  const double claim = check.mean - check.difference.point;
  return "[" + short_text(claim + *check.difference.low, 5) + ", " + short_text(claim + *check.difference.high, 5) +
         "]";
}

report::Cell toned(RowOutcome outcome) {
  const auto tone = outcome == RowOutcome::confirmed ? report::Tone::good
                    : outcome == RowOutcome::refuted ? report::Tone::bad
                                                     : report::Tone::plain;
  return {name_of(outcome), tone};
}

std::vector<report::Cell> check_cells(const std::optional<variance::PublishedCheck>& check) {
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

void add_row(report::Table& table, const JudgedRow& judged) {
  const std::string metric = judged.row.metric == "top-1" ? "" : ": " + judged.row.metric;
  const auto add = [&](std::vector<report::Cell> cells, const auto& check, report::Cell outcome) {
    for (auto& cell : check_cells(check)) cells.push_back(std::move(cell));
    cells.push_back(std::move(outcome));
    table.rows.push_back(std::move(cells));
  };
  add({judged.variant, judged.row.table + metric, value_text(judged.row)}, judged.check, toned(judged.outcome));
  if (judged.at_best) add({"", "best test epoch", ""}, judged.at_best, "");
}

/// The reason of an outcome that its word does not explain.
std::string reason_of(const JudgedRow& judged, double margin) {
  const std::string row = judged.variant + ", " + judged.row.table + ": ";
  if (!judged.reason.empty()) return row + judged.reason;
  const bool by_little = judged.outcome == RowOutcome::refuted && within(*judged.check, margin);
  return by_little ? row + "refuted by less than the margin" : "";
}

/// "wt: 3 trials without excess_slope": failed, or not measured by the study.
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

/// Each remark once, for all rows that share it.
std::vector<std::string> remarks(const LedgerReport& report) {
  std::vector<std::string> out;
  for (const auto& row : report.rows)
    if (const auto reason = reason_of(row, report.settings.margin);
        !reason.empty() && std::ranges::find(out, reason) == out.end())
      out.push_back(reason);
  out.push_back("confirmed: the 95 % CI of the mean contains the published value and is within " +
                short_text(report.settings.margin) +
                " of it (--margin). refuted: it does not contain it. undecided: it contains it but extends further. "
                "The published value is taken as exact. This is a statement about a number, not a verdict about two "
                "variants.");
  out.emplace_back("Each row is judged at 5 % on its own.");
  if (!report.held.empty())
    out.push_back("held, so their share of the spread is not in the sd: " + results::joined(report.held));
  for (auto& text : without_scores(report)) out.push_back(std::move(text));
  return out;
}

/// The word on the page; documents have name_of().
report::Cell toned(Answer outcome) {
  if (outcome == Answer::open) return "open";
  if (outcome == Answer::not_asked) return "not asked";
  return outcome == Answer::confirmed ? report::Cell("confirmed", report::Tone::good)
                                      : report::Cell("contradicted", report::Tone::bad);
}

/// "KD - NOKD, 200 epochs (about 1, margin 1)".
std::string what_text(const published::Gap& gap) {
  if (gap.relation != published::Relation::about) return gap.what;
  return gap.what + " (about " + short_text(gap.about) + ", margin " + short_text(gap.margin) + ")";
}

void add_conclusions(const LedgerReport& report, Blocks& to) {
  report::Table table{.caption =
                          "Published conclusions, tested on this study. confirmed: the paired 95 % CI is on the "
                          "published side (for \"at most\", two one-sided tests at 5 % show it; for \"about\", it "
                          "contains the number and is within the margin of it). contradicted: it is on the other side "
                          "(for \"about\", it does not contain the number). open: neither. not asked: no two variants "
                          "of this study show the difference. Each difference is judged on its own. A conclusion is "
                          "confirmed if all of its differences are, and not asked if one of them is not.",
                      .columns = {"", "claim", "published difference", right(""), "here", right(""), "95 % CI",
                                  right("pairs"), "difference", "conclusion"}};
  bool elsewhere = false, again = false;
  const auto missing = [](const TestedGap& gap) { return gap.outcome == Answer::not_asked; };
  for (const auto& claim : report.claims)
    for (std::size_t i = 0; i < claim.gaps.size(); ++i) {
      const auto& gap = claim.gaps[i];
      elsewhere = elsewhere || !(gap.comparable || missing(gap));
      again = again || gap.retried;
      table.rows.push_back(
          {i == 0 ? claim.name : "", i == 0 ? claim.text : "", what_text(gap.gap), short_text(gap.published, 3),
           missing(gap) ? "-" : gap.candidate + " - " + gap.baseline + (gap.comparable ? "" : " *"),
           gap.difference ? short_text(gap.difference->point, 3) : "-",
           gap.difference && gap.difference->low && gap.difference->high
               ? "[" + short_text(*gap.difference->low, 3) + ", " + short_text(*gap.difference->high, 3) + "]"
               : "-",
           std::to_string(gap.pairs), toned(gap.outcome), i == 0 ? toned(claim.outcome()) : ""});
    }
  if (!table.rows.empty()) to.emplace_back(std::move(table));
  if (again)
    to.emplace_back(report::Warning{
        "trials of these variants were run again after a failure more often than the design allows, so their "
        "differences stay open",
        "retried"});
  if (!report.recorded) to.emplace_back(report::Warning{look_not_counted, "look not recorded"});
  if (elsewhere)
    to.emplace_back(report::Paragraph{
        "* other data, networks or protocol than published: this tests the conclusion for the same methods, and says "
        "nothing about the published number."});
}

/// "Rows: 1 refuted, 2 not comparable. Conclusions: 3 confirmed, 1 open. Exit code 1."
std::string summary(const LedgerReport& report) {
  std::vector<std::string> rows, claims;
  for (const auto outcome :
       {RowOutcome::confirmed, RowOutcome::refuted, RowOutcome::undecided, RowOutcome::not_comparable})
    if (const auto n = rows_with(report, outcome); n > 0) rows.push_back(std::to_string(n) + " " + name_of(outcome));
  for (const auto outcome : {Answer::confirmed, Answer::contradicted, Answer::open, Answer::not_asked})
    if (const auto n = claims_with(report, outcome); n > 0) claims.push_back(std::to_string(n) + " " + toned(outcome));
  const auto counts = [](const std::vector<std::string>& all) { return all.empty() ? "none" : results::joined(all); };
  const auto against = parts_against(report);
  const std::string parts = against == 0 ? "" : " (" + counted(against, "difference") + " contradicted)";
  return "Rows: " + counts(rows) + ". Conclusions: " + counts(claims) + parts + ". Exit code " +
         std::to_string(static_cast<int>(exit_of(report))) + ".";
}

void add_judged(const Table& table, const LedgerReport& report, Blocks& to) {
  if (report.rows.empty()) {
    to.emplace_back(report::Paragraph{
        "No variant of this study matches a published row: none has the data set, method and networks of a row in its "
        "keys (retrial reproduce " +
        table.name + " lists the rows)."});
    return;
  }
  report::Table compared{.columns = {"variant", "published in", right("value"), right("mean"), right("sd"), right("n"),
                                     "95 % CI", right("t"), right("p"), "outcome"}};
  for (const auto& row : report.rows) add_row(compared, row);
  to.emplace_back(std::move(compared));
  to.emplace_back(report::List{remarks(report)});
}

}  // namespace

report::Part ledger_part(const Table& table, double sd) {
  report::Section out{.id = "ledger", .title = table.title};
  add_rows(table, out.blocks);
  add_oddities(table, out.blocks);
  out.blocks.emplace_back(runs_table(table, sd));
  out.blocks.emplace_back(
      report::Paragraph{"retrial reproduce " + table.name + " STORE compares the trials of a study with these rows."});
  return {.section = std::move(out), .data = ledger_document(table, sd)};
}

report::Part judged_part(const Table& table, const LedgerReport& report) {
  report::Section out{.id = "published", .title = "Study " + report.study + " compared with " + table.name};
  add_judged(table, report, out.blocks);
  add_conclusions(report, out.blocks);
  out.blocks.emplace_back(report::Paragraph{summary(report)});
  return {.section = std::move(out), .data = judged_document(table, report)};
}

}  // namespace retrial::harness::inline ledger
