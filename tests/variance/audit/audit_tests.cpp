#include "variance/audit/audit.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/audit/error_rates.hpp"
#include "variance/means/classical.hpp"
#include "variance/means/paired.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/numbers/parallel.hpp"
#include "variance/ranks/ranks.hpp"
#include "variance/sequential/sequential.hpp"
#include "variance/wins/win.hpp"

namespace retrial::tests::audit_audit_tests {

using namespace retrial::variance;

namespace {

constexpr std::uint64_t seed = 42;

AuditRow audited(std::string_view rule, const AuditCell& cell, AuditSettings settings = {.reps = 20'000}) {
  settings.seed = seed;
  settings.threads = 2;
  return audit_cell({cell, {find_audit_rule(rule)}}, settings).front();
}

using Says = std::function<Status(const AuditData&)>;

/// The rule's answers against those of the library's own function, on the same simulated scores, ties included.
void check_against(std::string_view name, const Says& library, std::int64_t runs = 12, int simulations = 150) {
  for (const auto& model : all_score_models())
    for (const double win : {.5, .75}) {
      CAPTURE(name, model.name, win);
      const AuditCell cell{.model = model.model, .runs = runs, .clusters = 5};
      const AuditJudge judge = find_audit_rule(name)->prepare(cell, {});
      const PairSource source({.model = model.model, .win = win});
      for (int s = 0; s < simulations; ++s) {
        ScorePairs scores;
        source.draw(Stream(derive(seed, name), static_cast<std::uint64_t>(s)), static_cast<std::size_t>(runs), scores);
        std::vector<double> differences;
        for (std::size_t i = 0; i < scores.candidate.size(); ++i)
          differences.push_back(scores.candidate[i] - scores.baseline[i]);
        const AuditData data{.candidate = scores.candidate,
                             .baseline = scores.baseline,
                             .differences = differences,
                             .tie = source.resolution().value_or(0.0) / 2.0,
                             .resolution = source.resolution(),
                             .key = 1};
        REQUIRE(name_of(judge(data).status) == name_of(library(data)));
      }
    }
}

Status better_if(bool better) {
  return better ? Status::better : Status::inconclusive;
}

Status watched(std::string_view rule, const AuditData& data) {
  const auto steps =
      watch(rule, data.differences, {.horizon = static_cast<std::int64_t>(data.differences.size()), .tie = data.tie});
  return steps.back().status;
}

PairedWin wins_of(const AuditData& data) {
  return paired_win(data.candidate, data.baseline, data.resolution);
}

/// A sign test that accepts two wins too few.
AuditJudge lenient(const AuditCell& cell, const AuditSettings& s) {
  return [critical = critical_wins(cell.runs, s.levels.alpha).value_or(cell.runs) - 2](const AuditData& data) {
    std::int64_t wins = 0;
    for (const double d : data.differences) wins += d > 0.0 ? 1 : 0;
    return AuditAnswer{.status = better_if(wins >= critical), .pairs = 1};
  };
}

std::vector<std::pair<double, std::int64_t>> figures_of(const std::vector<AuditRow>& rows) {
  std::vector<std::pair<double, std::int64_t>> all;
  for (const auto& row : rows) all.emplace_back(row.rate(), row.pairs);
  return all;
}

}  // namespace

TEST_CASE("rules on the pairs won say in the audit what the library says") {
  check_against("pab_exact", [](const AuditData& data) {
    const PairedWin wins = wins_of(data);
    if (wins.tie_share() > .5) return Status::invalid;
    return pab_exact(wins.wins, wins.untied());
  });
  check_against("pab_published", [](const AuditData& data) {
    const Estimate interval = win_interval(wins_of(data), .05, WinMethod::percentile);
    if (!interval.low || *interval.low <= .5) return Status::inconclusive;
    return *interval.high <= .75 ? Status::not_meaningful : Status::better;
  });
  for (const auto* rule : {"curtailed", "sprt", "mixture_e", "dual_e"})
    check_against(
        rule, [rule](const AuditData& data) { return watched(rule, data); }, 20, 40);
  // Sequentialised: the answer of the fixed sign test of the untied pairs.
  check_against("sequentialised", [](const AuditData& data) {
    const auto critical = critical_wins(wins_of(data).untied(), .05);
    return better_if(critical && wins_of(data).wins >= *critical);
  });
}

TEST_CASE("t tests say in the audit what the library says") {
  check_against("t_paired", [](const AuditData& data) {
    return better_if(paired_t(data.differences, {.tolerance = data.tie})->p_greater <= .05);
  });
  check_against("welch", [](const AuditData& data) {
    return better_if(welch_t(data.candidate, data.baseline).test.p_greater <= .05);
  });
  check_against(
      "t_anytime", [](const AuditData& data) { return watched("t_anytime", data); }, 20, 60);
  check_against("peek_t", [](const AuditData& data) {
    for (std::size_t n = 5; n <= data.differences.size(); ++n) {
      const auto t = paired_t(data.differences.first(n), {.tolerance = data.tie});
      if (!t->statistic || student_tails(*t->statistic, t->df).two() > .05) continue;  // as users do: t alone
      return *t->statistic > 0.0 ? Status::better : Status::worse;
    }
    return Status::inconclusive;
  });
  check_against("cluster_t", [](const AuditData& data) {
    std::vector<double> means;  // runs 0-2, 3-4, 5-7, 8-9, 10-11 of twelve
    for (const auto& [from, count] : {std::pair{0, 3}, {3, 2}, {5, 3}, {8, 2}, {10, 2}}) {
      double sum = 0.0;
      for (int i = from; i < from + count; ++i) sum += data.differences[static_cast<std::size_t>(i)];
      means.push_back(sum / count);
    }
    return better_if(paired_t(means, {.tolerance = data.tie})->p_greater <= .05);
  });
}

TEST_CASE("rank tests say in the audit what the library says") {
  check_against("wilcoxon", [](const AuditData& data) {
    return better_if(wilcoxon(data.differences, data.tie).test.p_greater <= .05);
  });
  check_against("mann_whitney", [](const AuditData& data) {
    return better_if(mann_whitney(data.candidate, data.baseline, data.resolution).test.p_greater <= .05);
  });
  check_against("cluster_sign", [](const AuditData& data) {
    int won = 0, lost = 0;
    for (const auto& [from, count] : {std::pair{0, 3}, {3, 2}, {5, 3}, {8, 2}, {10, 2}}) {
      int balance = 0;
      for (int i = from; i < from + count; ++i) {
        const double d = data.differences[static_cast<std::size_t>(i)];
        balance += d > data.tie ? 1 : d < -data.tie ? -1 : 0;
      }
      won += balance > 0 ? 1 : 0;
      lost += balance < 0 ? 1 : 0;
    }
    return better_if(won == 5 && lost == 0);  // of five or fewer only five won are beyond .05: 1/32
  });
}

TEST_CASE("sizes and powers of exact rules are the exact sums") {
  const auto near = [](double rate, std::int64_t reps) {
    return WithinAbs(rate, 4 * std::sqrt(rate * (1 - rate) / double(reps)));
  };
  // Published rule, no ties, any law of the scores: N=3 .125; N=29 .030714, at gamma .833695.
  for (const auto model : {ScoreModel::gaussian, ScoreModel::lognormal}) {
    CHECK_THAT(audited("pab_published", {.model = model, .runs = 3}).rate(), near(.125, 20'000));
    CHECK_THAT(audited("pab_published", {.model = model, .runs = 29}).rate(), near(.030714, 20'000));
    CHECK_THAT(audited("pab_published", {.model = model, .truth = AuditTruth::gamma, .runs = 29}).rate(),
               near(.833695, 20'000));
  }
  // 27 of 42: size .0442147735, power .9583713019; stopped when settled after 31.7612 pairs on average.
  const auto null = audited("curtailed", {.runs = 42}),
             gamma = audited("curtailed", {.truth = AuditTruth::gamma, .runs = 42});
  CHECK_THAT(null.rate(), near(.0442147735, 20'000));
  CHECK_THAT(gamma.rate(), near(.9583713019, 20'000));
  CHECK_THAT(null.mean_pairs(), WithinAbs(31.7612073, .2));
  const auto watched_test = audited("sequentialised", {.runs = 42});  // the same test: 27 won, or 16 that are not
  CHECK_THAT(watched_test.mean_pairs(), WithinAbs(31.7612073, .2));
  CHECK_THAT(watched_test.rate(), near(.0442147735, 20'000));
  // One run of each, further apart than delta: 8.92 % and 25.10 % (quadrature over the published constants).
  CHECK_THAT(audited("single", {.runs = 5}).rate(), near(.0892, 20'000));
  CHECK_THAT(audited("single", {.truth = AuditTruth::gamma, .runs = 5}).rate(), near(.2510, 20'000));
}

TEST_CASE("looking after every pair rejects 39 % of equal variants; a rule made for it keeps its level") {
  CHECK_THAT(audited("peek_t", {.runs = 200}).rate(), WithinAbs(.387, .002 + 3 * .0034));
  const auto anytime = audited("t_anytime", {.runs = 200});
  CHECK_THAT(anytime.rate(), WithinAbs(.0318, .001 + 3 * .00125));
  CHECK_THAT(anytime.share(Status::worse), WithinAbs(anytime.rate() / 2, .004));
  for (const auto* rule : {"mixture_e", "dual_e", "sprt"})
    CHECK(audited(rule, {.runs = 200}).rate() <= .05 + 3 * std::sqrt(.0475 / 20'000));
  CHECK_THAT(audited("mixture_e", {.runs = 200}).rate(), WithinAbs(.0319472686, 3 * .00125));
}

TEST_CASE("bootstrap intervals of few runs are too short, in the measure that is known") {
  AuditSettings few{.reps = 1000, .drawing_reps = 1000};
  CHECK_THAT(audited("bootstrap_mean", {.model = ScoreModel::lognormal, .runs = 5}, few).rate(),
             WithinAbs(.132, .01 + .032));
  CHECK_THAT(audited("bootstrap_mean", {.model = ScoreModel::lognormal, .runs = 10}, few).rate(),
             WithinAbs(.097, .01 + .028));
}

TEST_CASE("runs that share one search: the published rule errs as published, rules on searches do not") {
  // .1949, .2033, .0474, .0892, .3065 by quadrature over the published constants, 50 runs of one search each.
  const std::vector<double> published{.1949, .2033, .0474, .0892, .3065};
  const auto tasks = published_error_tasks();
  double mean = 0.0;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    CAPTURE(tasks[t].name);
    const double sd = tasks[t].sigma_eps / tasks[t].sigma;
    const AuditCell one{.runs = 50, .cluster_sd = sd, .clusters = 1};
    const double rate = audited("pab_published", one, {.reps = 5000}).rate();
    CHECK_THAT(rate, WithinAbs(published[t], 4 * std::sqrt(published[t] * (1 - published[t]) / 5000)));
    mean += rate / 5;
    const AuditCell ten{.runs = 50, .cluster_sd = sd, .clusters = 10};
    for (const auto* rule : {"cluster_t", "cluster_sign"}) CHECK(audited(rule, ten, {.reps = 5000}).rate() <= .06);
    CHECK(audited("cluster_t", one, {.reps = 100}).share(Status::invalid) == 1.0);  // a pipeline claim from one search
  }
  CHECK_THAT(mean, WithinAbs(.1683, .012));
}

TEST_CASE("ranks of variants with unequal spreads exceed their level, studentised ranks from 20 runs on do not") {
  // Why the promises of the two differ.
  const AuditCell cell{.model = ScoreModel::bimodal, .runs = 20, .spread = 2.0};
  CHECK(audited("mann_whitney", cell, {.reps = 5000}).rate() > .05 + 4 * .0031);
  CHECK(audited("brunner_munzel", cell, {.reps = 5000}).rate() <= .05 + 3 * .0031);
}

TEST_CASE("a rule that accepts too much fails the gate, and only in its own row") {
  const AuditRule broken{.name = "broken",
                         .label = AuditLabel::valid,
                         .promises = [](const AuditCell&) { return true; },
                         .prepare = lenient};
  const auto rows = audit_cell({{.runs = 10}, {find_audit_rule("pab_exact"), &broken}}, {.reps = 2000, .seed = seed});
  CHECK(rows[0].outcome == AuditOutcome::pass);
  CHECK(rows[1].outcome == AuditOutcome::failed);
  CHECK_FALSE(passes(rows));
  CHECK(passes(std::span(rows).first(1)));
  // What it does when the candidate is better is nobody's error.
  const auto power = audit_cell({{.truth = AuditTruth::gamma, .runs = 10}, {&broken}}, {.reps = 500, .seed = seed});
  CHECK(power[0].outcome == AuditOutcome::none);
}

TEST_CASE("an exhibit that does not fail fails the gate: an audit has to detect a bad rule") {
  const auto must_err = [](const AuditCell&, const AuditSettings&) { return std::optional(AuditReference{}); };
  const auto off = [](const AuditCell&, const AuditSettings&) { return std::optional(AuditReference{.rate = .2}); };
  AuditRule tame = *find_audit_rule("pab_exact");
  tame.label = AuditLabel::exhibit;
  tame.promises = nullptr;
  AuditRule other = tame;
  tame.reference = must_err;
  other.reference = off;
  const auto rows = audit_cell({{.runs = 10}, {&tame, &other}}, {.reps = 2000, .seed = seed});
  CHECK(rows[0].outcome == AuditOutcome::not_shown);
  CHECK(rows[1].outcome == AuditOutcome::not_shown);
  CHECK_FALSE(passes(rows));
}

TEST_CASE("t rules promise nothing where their assumptions do not hold, rank and sign rules everywhere they can") {
  const auto promises = [](std::string_view rule, const AuditCell& cell) {
    return find_audit_rule(rule)->promises(cell);
  };
  CHECK(promises("t_paired", {.model = ScoreModel::gaussian, .runs = 5}));
  CHECK_FALSE(promises("t_paired", {.model = ScoreModel::gaussian, .runs = 3}));
  CHECK_FALSE(promises("t_paired", {.model = ScoreModel::lognormal, .runs = 29}));
  CHECK(promises("pab_exact", {.model = ScoreModel::lognormal, .runs = 2}));
  CHECK(promises("pab_exact", {.model = ScoreModel::lognormal, .runs = 2, .spread = 2.0}));
  CHECK_FALSE(promises("pab_exact", {.runs = 50, .cluster_sd = .7}));
  CHECK(promises("cluster_t", {.runs = 50, .cluster_sd = .7}));
  CHECK_FALSE(promises("wilcoxon", {.model = ScoreModel::lognormal, .spread = 2.0}));
  CHECK(promises("wilcoxon", {.model = ScoreModel::t3, .spread = 2.0}));
  CHECK_FALSE(promises("mann_whitney", {.spread = 2.0}));
  CHECK_FALSE(promises("brunner_munzel", {.runs = 10, .spread = 2.0}));
  CHECK(promises("brunner_munzel", {.runs = 20, .spread = 2.0}));
}

TEST_CASE("the number of threads and the other rules change no number") {
  const AuditCell cell{.model = ScoreModel::t3, .runs = 10};
  std::vector<const AuditRule*> rules;
  for (const auto& rule : all_audit_rules()) rules.push_back(&rule);
  AuditSettings settings{.reps = 1010, .drawing_reps = 30, .seed = seed};
  const auto one = figures_of(audit_cell({cell, rules}, settings));
  for (const std::size_t threads : {std::size_t{2}, std::size_t{8}}) {
    settings.threads = threads;
    CHECK(figures_of(audit_cell({cell, rules}, settings)) == one);
  }
  for (std::size_t r = 0; r < rules.size(); ++r)
    CHECK(figures_of(audit_cell({cell, {rules[r]}}, settings)).front() == one[r]);
  settings.seed = 43;
  CHECK(figures_of(audit_cell({cell, rules}, settings)) != one);
}

TEST_CASE("the first simulations of a longer audit are those of a shorter one") {
  const auto shorter = audited("t_paired", {.runs = 5}, {.reps = 150}),
             longer = audited("t_paired", {.runs = 5}, {.reps = 300});
  CHECK(longer.verdicts[0] >= shorter.verdicts[0]);
  CHECK(longer.reps == 300);
}

TEST_CASE("cells are named by model, truth and runs alone") {
  CHECK(comparison_id({.model = ScoreModel::t3, .truth = AuditTruth::gamma, .runs = 29, .spread = 2.0}) ==
        "audit/t3/gamma/29");
  CHECK(text_of({.runs = 50, .cluster_sd = .736433, .clusters = 3}) == "gaussian, null, N 50, 3 searches of sd 0.7364");
}

TEST_CASE("the quick grid: five models, two truths, three sizes, and the two long and short cells") {
  const auto quick = audit_grid({.quick = true});
  CHECK(quick.size() == 32);
  CHECK(quick[0].rules.size() == all_audit_rules().size());
  CHECK(quick[30].cell.runs == 3);
  CHECK(quick[31].cell.runs == 200);
  CHECK(quick[31].rules.size() == 5);
  // One option at a time, in addition to the plain cell of the null: spread 2, correlation .5 and .9, five tasks.
  CHECK(audit_grid({}).size() == 5 * 7 * (9 + 1) + 1);
  CHECK(audit_grid({.truths = {AuditTruth::null}}).size() == 5 * 7 * 9 + 1);
  CHECK(audit_grid({.models = {ScoreModel::t3}, .truths = {AuditTruth::null}, .runs = {5, 10}, .spread = 2.0}).size() ==
        2);
  CHECK(audit_grid({.rules = {find_audit_rule("welch")}, .quick = true}).size() == 30);
}

TEST_CASE("the whole grid asks a rule only where it has to answer for something") {
  for (const AuditEntry& entry : audit_grid({}))
    for (const AuditRule* rule : entry.rules) {
      if (entry.cell.truth != AuditTruth::null || entry.cell.runs == 200) continue;
      CHECK((rule->promises ? rule->promises(entry.cell) : rule->reference(entry.cell, {}).has_value()));
    }
}

TEST_CASE("every rule of the specification has its row, its label and its words") {
  std::string valid, exhibits;
  for (const auto& rule : all_audit_rules()) {
    (rule.label == AuditLabel::valid ? valid : exhibits) += std::string(rule.name) + " ";
    CHECK_FALSE(rule.rule.empty());
    CHECK_FALSE(rule.covers.empty());
    CHECK((rule.promises != nullptr) == (rule.label == AuditLabel::valid));
    CHECK((rule.reference != nullptr) == (rule.label == AuditLabel::exhibit));
  }
  CHECK(exhibits == "single average pab_published bootstrap_mean bca aso peek_t ");
  CHECK(valid ==
        "pab_exact curtailed sprt mixture_e dual_e sequentialised t_paired t_anytime welch wilcoxon mann_whitney "
        "brunner_munzel cluster_t cluster_sign group_permutation ");
}

TEST_CASE("settings of an audit out of range are refused by field") {
  const AuditEntry entry{{}, {find_audit_rule("single")}};
  CHECK(refused_field([&] { (void)audit_cell(entry, {.reps = 0}); }) == "reps");
  CHECK(refused_field([&] { (void)audit_cell(entry, {.resamples = 10}); }) == "resamples");
  CHECK(refused_field([&] { (void)audit_cell(entry, {.threads = 0}); }) == "threads");
  CHECK(refused_field([&] { (void)audit_cell(entry, {.levels = {.alpha = .7}}); }) == "alpha");
}

TEST_CASE("of calls that throw on several threads the first by index comes out, and all others have run") {
  std::vector<int> done(50, 0);
  const auto work = [&](std::size_t i) {
    done[i] = 1;
    if (i == 7 || i == 31) throw retrial::InvalidInput("item", std::to_string(i), "others");
  };
  for (const std::size_t threads : {std::size_t{1}, std::size_t{4}}) {
    done.assign(50, 0);
    try {
      parallel_for(50, threads, work);
      FAIL("nothing thrown");
    } catch (const retrial::InvalidInput& error) {
      CHECK(error.value == "7");
    }
    CHECK(std::count(done.begin(), done.end(), 1) == 50);
  }
}

}  // namespace retrial::tests::audit_audit_tests
