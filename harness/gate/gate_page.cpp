#include "harness/gate/gate_page.hpp"

#include <algorithm>
#include <cmath>

#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline gate {
namespace {

using report::right, report::Tone;

Tone tone_of(const std::string& verdict) {
  if (verdict == "regressed" || verdict == "failed" || verdict == "missing") return Tone::bad;
  if (verdict == "improved") return Tone::good;
  if (verdict == "equivalent" || verdict == "no_worse") return Tone::settled;
  return verdict == "new" ? Tone::plain : Tone::open;
}

/// Two decimals of a percentage, or the value in the unit of the metric.
std::string effect_text(double value, bool absolute) {
  if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
  if (absolute) return signed_text(value);
  return (std::signbit(value) ? "-" : "+") + fixed_text(std::fabs(100.0 * value), 2) + " %";
}

std::string bound_text(const std::optional<double>& bound, double unbounded, bool absolute) {
  const double value = bound.value_or(unbounded);
  if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
  return absolute ? short_text(value) : fixed_text(100.0 * value, 2);
}

std::string interval_of(const GateVerdict& claim) {
  if (!claim.ci95) return "-";
  return "[" + bound_text(claim.ci95->low, -HUGE_VAL, claim.absolute) + ", " +
         bound_text(claim.ci95->high, HUGE_VAL, claim.absolute) + "]";
}

/// Two digits, unless they hide on which side of alpha it is.
std::string short_p(double p, double alpha) {
  const std::string two = short_text(p, 2);
  return (results::parse_double(two).value_or(p) <= alpha) == (p <= alpha) ? two : p_text(p, alpha);
}

std::string runs_text(const GateVerdict& claim) {
  if (claim.n[base] == claim.n[head]) return std::to_string(claim.n[base]);
  return std::to_string(claim.n[base]) + "/" + std::to_string(claim.n[head]);
}

std::string size_text(const std::optional<double>& size, bool absolute) {
  if (!size) return "-";
  if (std::isinf(*size)) return "none";
  return absolute ? short_text(*size) : fixed_text(100.0 * *size, 1) + " %";
}

std::string p_cell(const GateVerdict& claim, const GateSettings& settings) {
  if (claim.test == "counts") return "exact";
  if (!claim.p_worse_adjusted) return "-";
  const bool worse = claim.effect.value_or(0) * (claim.direction == variance::Direction::lower ? 1 : -1) > 0;
  return short_p(*(worse ? claim.p_worse_adjusted : claim.p_better_adjusted), settings.alpha);
}

/// Where all claims are ratios, the titles have the percent sign: the page must fit into 80 columns.
report::Table claims_table(const GateResult& result, const GateSettings& settings, std::size_t most) {
  const bool one_metric =
      std::ranges::all_of(result.claims, [&](const auto& c) { return c.metric == result.claims.front().metric; });
  const bool ratios = all_ratios(result);
  const auto sign = [&](const std::string& cell) {
    return ratios && cell.ends_with(" %") ? cell.substr(0, cell.size() - 2) : cell;
  };
  // One column for both: no room is left for a second one of names.
  report::Table out{.columns = {report::names(one_metric ? "benchmark" : "benchmark, metric")}};
  for (const report::TableColumn& column : {report::TableColumn("verdict"), right(ratios ? "change (%)" : "change"),
                                            right(ratios ? "95 % interval (%)" : "95 % interval"), right("adj. p"),
                                            right("n"), right(ratios ? "detects (%)" : "detects"), right("pairs")})
    out.columns.push_back(column);
  for (const GateVerdict* claim : result.worst_first()) {
    if (out.rows.size() == most) break;
    std::vector<report::Cell> row{(claim->workload.empty() ? "-" : claim->workload) +
                                  (one_metric ? "" : " " + claim->metric) +
                                  (claim->against.empty() ? "" : " against " + claim->against)};
    row.emplace_back(claim->verdict, tone_of(claim->verdict));
    row.emplace_back(claim->effect ? sign(effect_text(*claim->effect, claim->absolute)) : "-");
    row.emplace_back(interval_of(*claim) + (!ratios && claim->ci95 && !claim->absolute ? " %" : ""));
    row.emplace_back(p_cell(*claim, settings));
    row.emplace_back(runs_text(*claim));
    row.emplace_back(sign(size_text(claim->mde, claim->absolute)));
    row.emplace_back(claim->pairs_needed ? std::to_string(*claim->pairs_needed) : "-");
    out.rows.push_back(std::move(row));
  }
  return out;
}

/// The reason in words, and the next step.
std::string reason_text(const GateVerdict& claim) {
  if (claim.reason == "noise")
    return "too noisy for these runs" +
           (claim.pairs_needed ? "; " + counted(*claim.pairs_needed, "pair") + " would detect the margin" : "");
  if (claim.reason == "too_few_trials")
    return "one process a side says nothing about its spread: repetitions within a process are one value; start more "
           "processes";
  if (claim.reason == "design_cannot_reject")
    return "so few processes cannot reach the error rate, however large the change is" +
           (claim.pairs_needed ? "; start " + counted(*claim.pairs_needed, "pair") : "");
  if (claim.reason == "not_confirmed") return "a change here that the other store does not confirm";
  if (claim.reason == "undecided_at_max_pairs") return "still open at the last look; max_pairs = N allows more pairs";
  if (claim.reason == "sequential_design")
    return claim.order == "unknown"
               ? "a change, but the files do not say that the two sides took turns; --allow-sequential accepts them"
               : "a change, but the two sides did not take turns: a drift of the machine looks the same; interleave "
                 "them, or accept it with --allow-sequential";
  if (claim.reason == "clock_disagreement")
    return "time and cycles disagree: the clock of the GPU was not the same on both sides; lock it, or repeat the runs";
  if (claim.reason == "not_meaningful") return "the baseline does not win a meaningful share of the pairs (0.75)";
  if (claim.reason == "nonpositive_value") return "a value of 0 or below has no ratio; use --min-effect-abs";
  return claim.reason;
}

std::string alarms_text(const GateResult& result) {
  if (!result.calibration) return "uncalibrated";
  return "at most " + percent(result.calibration->upper95);
}

std::string alarms_source(const GateResult& result) {
  if (!result.calibration) return "no rate was measured on this machine (retrial calibrate)";
  const GateCalibration& c = *result.calibration;
  return std::to_string(c.alarms) + " in " + counted(c.suites, "suite") + " without a change, on this kind of machine" +
         (c.hogs > 0 ? ", beside " + counted(c.hogs, "busy process") : "") +
         (c.stale ? "; stale: more than 90 days old" : "");
}

std::string power_text(const GateCalibration::Power& power) {
  return percent(static_cast<double>(power.found) / static_cast<double>(power.suites)) + " of suites";
}

std::string power_source(const GateCalibration::Power& power) {
  return std::to_string(power.found) + " in " + counted(power.suites, "suite") + " with a slow-down of " +
         short_text(100.0 * power.slow_down) + " %" + (power.by_work ? " by real work" : " of the values") +
         (power.hogs > 0 ? ", beside " + counted(power.hogs, "busy process") : "");
}

std::string pairs_text(const GateResult& result) {
  if (!result.pairs) return "given";
  const auto [run, planned] = *result.pairs;
  return std::to_string(run) + (run < planned ? " of at most " + std::to_string(planned) : "") + " run";
}

/// Where the processes of a side were measured; sides that differ are told apart.
std::optional<std::string> origins_text(const GateResult& result) {
  std::array<std::optional<GateVerdict::Origins>, 2> most;
  for (const GateVerdict& claim : result.claims)
    for (const std::size_t side : {base, head})
      if (const auto& each = claim.origins[side]; each && (!most[side] || each->launches > most[side]->launches))
        most[side] = each;
  const auto text = [](const GateVerdict::Origins& origin) {
    return (origin.launches > 0 ? counted(origin.launches, "launch") + ", " : "") + counted(origin.boots, "boot") +
           ", " + counted(origin.hosts, "host");
  };
  if (!most[head]) return {};
  if (!most[base] || most[base] == most[head]) return text(*most[head]);
  return text(*most[head]) + "; " + result.baseline + ": " + text(*most[base]);
}

std::string strata_text(const GateResult& result) {
  const bool several = std::ranges::any_of(result.claims, [](const GateVerdict& c) { return c.strata > 1; });
  if (several) return "ranks are compared within a launch";
  return "launches = N spreads the pairs over reboots and hosts";
}

report::List reasons(const GateResult& result, const GateSettings& settings) {
  constexpr std::size_t most = 20;
  report::List out;
  std::size_t left = 0;
  for (const GateVerdict* claim : result.worst_first()) {
    std::string line;
    if (claim->verdict == "regressed" || claim->verdict == "improved")
      line = claim_name(*claim) + ": " + claim_sentence(*claim, result, settings);
    else if (!claim->reason.empty())
      line = claim_name(*claim) + ": " + claim->verdict + ": " + reason_text(*claim);
    if (claim->mid_p_worse)
      line = (line.empty() ? claim_name(*claim) + ": " : line + "; ") + "mid-p of worse " +
             short_p(*claim->mid_p_worse, settings.alpha) + ", unadjusted, beside p " +
             short_p(*claim->p_worse, settings.alpha);
    for (const std::string& warning : claim->warnings)
      if (warning != not_time) line = (line.empty() ? claim_name(*claim) : line) + ": " + warning;
    if (line.empty()) continue;
    if (out.items.size() < most)
      out.items.push_back(line);
    else
      ++left;
  }
  if (left > 0) out.items.push_back("and " + std::to_string(left) + " more");
  return out;
}

}  // namespace

bool all_ratios(const GateResult& result) {
  return std::ranges::none_of(result.claims, &GateVerdict::absolute);
}

/// "exact": counts that repeat have no p.
std::string word_of(Statistic statistic) {
  switch (statistic) {
    case Statistic::min:
      return "min";
    case Statistic::q1:
      return "q1";
    case Statistic::median:
      return "median";
    case Statistic::mean:
      return "mean";
    case Statistic::last:
      return "last";
    default:
      return "auto";
  }
}

std::string short_commit(const std::string& name) {
  const bool digest = name.size() >= 40 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
  return digest ? name.substr(0, 12) : results::one_line(name, 40);
}

std::string claim_name(const GateVerdict& claim) {
  const std::string against = claim.against.empty() ? "" : " against " + claim.against;
  if (claim.workload.empty()) return (claim.metric.empty() ? "score" : claim.metric) + against;
  return claim.workload + (claim.metric.empty() ? "" : " " + claim.metric) + against;
}

std::string claim_sentence(const GateVerdict& claim, const GateResult& result, const GateSettings& settings) {
  const bool worse = claim.verdict == "regressed";
  const std::string sentence = result.candidate + " is " + (worse ? "WORSE" : "BETTER") + " than " +
                               (claim.against.empty() ? result.baseline : claim.against) + ": " +
                               effect_text(claim.effect.value_or(0.0), claim.absolute);
  const std::string interval = interval_of(claim) + (claim.absolute ? "" : " %");
  if (claim.test == "counts") return sentence + " instructions in every process, all pairs within " + interval;
  return sentence + ", 95 % interval " + interval + ", adjusted p " +
         short_p((worse ? claim.p_worse_adjusted : claim.p_better_adjusted).value_or(1.0), settings.alpha);
}

report::Section gate_section(const GateResult& result, const GateSettings& settings, std::size_t rows) {
  std::string title = result.verdict;
  std::ranges::replace(title, '_', ' ');
  std::ranges::transform(title, title.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
  if (const auto count = result.count(result.verdict); count > 0)
    title += ": " + std::to_string(count) + " of " + counted(std::ssize(result.claims), "claim");
  else
    title += ": no claim was tested";
  report::Section out{
      .id = "gate", .title = title, .aside = "(" + result.candidate + " against " + result.baseline + ")"};
  if (!result.claims.empty()) out.blocks.emplace_back(claims_table(result, settings, rows));
  if (result.claims.size() > rows)
    out.blocks.emplace_back(report::Warning{std::to_string(result.claims.size() - rows) + " of " +
                                            std::to_string(result.claims.size()) +
                                            " claims are left out here; the JSON document has them all"});
  if (auto why = reasons(result, settings); !why.items.empty()) out.blocks.emplace_back(std::move(why));
  for (const MachineDifference& d : result.differences)
    out.blocks.emplace_back(report::Warning{d.key + " differs: " + result.baseline + " " + d.baseline + ", " +
                                            result.candidate + " " + d.candidate + "; --allow-diff " + d.key +
                                            " compares them in spite of it"});
  const bool any_ratio = std::ranges::any_of(result.claims, [](const GateVerdict& c) { return !c.absolute; });
  const bool counted_only =
      result.tested() > 0 && std::ranges::all_of(result.claims, [](const auto& c) { return !c.p_worse; });
  const auto sizes = [&](double share, const std::optional<double>& difference) {
    std::string text = any_ratio || !difference ? short_text(100.0 * share) + " %" : "";
    if (difference && !all_ratios(result)) text += (text.empty() ? "" : ", ") + short_text(*difference);
    return text;
  };
  const std::int64_t many = std::ranges::count_if(result.claims, [](const auto& c) { return c.p_worse.has_value(); });
  const bool no_margin = settings.within(!any_ratio) <= 0.0;
  report::Facts facts{{{"a change counts", "beyond " + sizes(settings.min_effect, settings.min_effect_abs),
                        counted_only ? "of the instructions, which repeat"
                                     : "and adjusted p at most " + short_text(settings.alpha) + ", Holm over " +
                                           counted(many, "claim")},
                       {"no change", "within " + sizes(settings.margin, settings.margin_abs),
                        no_margin ? "not judged" : percent(1.0 - 2.0 * settings.equiv_alpha) + " interval inside it"},
                       {"detects", percent(settings.power) + " power", "pairs: how many detect the margin"},
                       {"pairs", pairs_text(result),
                        result.pairs ? "both sides next to each other, in random order" : "as the files have them"},
                       {"false alarms", alarms_text(result), alarms_source(result)}}};
  if (const auto text = origins_text(result)) facts.rows.push_back({"measured in", *text, strata_text(result)});
  if (result.calibration)
    for (const GateCalibration::Power& power : result.calibration->power)
      facts.rows.push_back({"found", power_text(power), power_source(power)});
  if (result.commits[base] || result.commits[head]) {
    const auto name = [](const std::optional<std::string>& commit) {
      return commit ? short_commit(*commit) : "unknown";
    };
    facts.rows.push_back({"commits", name(result.commits[head]), "against " + name(result.commits[base])});
  }
  out.blocks.emplace_back(std::move(facts));
  const auto says = [](const GateVerdict& claim) {
    return std::ranges::find(claim.warnings, not_time) != claim.warnings.end();
  };
  if (std::ranges::any_of(result.claims, says)) out.blocks.emplace_back(report::Warning{not_time});
  for (const std::string& text : result.warnings) out.blocks.emplace_back(report::Warning{text});
  return out;
}

}  // namespace retrial::harness::inline gate
