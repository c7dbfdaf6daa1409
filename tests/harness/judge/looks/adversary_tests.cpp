// Ways to obtain a BETTER of two equal variants more often than the rate that is printed with it, each played
// 2,000 times on the null workload. The share of declared BETTER must stay within that rate plus 3 standard errors, and
// the same script must exceed it where looks are not counted: else it is no attack.
#include <cmath>
#include <functional>

#include "tests/catch.hpp"
#include "tests/harness/judge/looks/lab.hpp"
#include "variance/designs/design_family.hpp"

namespace retrial::tests::adversary_tests {

using namespace looks_lab;

namespace {

constexpr std::int64_t runs = 2'000;

Design fixed(std::int64_t pairs) {
  return {.alpha = alpha, .pairs = pairs};
}

Design sequential(const std::string& family, std::int64_t pairs) {
  const auto* row = variance::find_family(family);
  return {.alpha = alpha, .gamma = 0.75, .pairs = pairs, .family = family, .test = std::string(row->rule)};
}

/// True if the user ends with a declared BETTER.
using Script = bool (*)(Lab&);

bool extend_a_fixed_design(Lab& lab) {
  for (std::int64_t pairs = 10; pairs <= 60; pairs += 10) {
    Design design = fixed(pairs);
    design.beta = 0.05 + 1e-5 * static_cast<double>(pairs);
    if (lab.better(lab.declare(design, lab.root()))) return true;
  }
  return false;
}

bool peek_by_a_test_and_extend(Lab& lab) {
  for (std::int64_t pairs = 10; pairs <= 60; pairs += 10) {
    const auto study = lab.declare(fixed(pairs), lab.root());
    lab.better_by(study, "sign");
    if (lab.better(study)) return true;
  }
  return false;
}

bool fixed_designs_after_a_sequential_one(Lab& lab) {
  if (lab.better(lab.declare(sequential("dual_e", 30), lab.root()))) return true;
  for (const std::int64_t pairs : {40, 50, 60}) {
    if (lab.better(lab.declare(fixed(pairs), lab.root()))) return true;
    Design t = fixed(pairs);
    t.test = "paired_t";
    if (lab.better(lab.declare(t, lab.root()))) return true;
  }
  return false;
}

bool declare_the_best_candidate(Lab& lab) {
  for (const char* candidate : {"shifted", "v2", "v3", "v4", "v5", "v6"}) {
    Design design = fixed(40);
    design.candidate = candidate;
    if (lab.better(lab.declare(design, lab.root()))) return true;
  }
  return false;
}

bool declare_the_best_metric(Lab& lab) {
  for (const char* metric : {"score", "f1", "recall", "auc", "nll", "ece"}) {
    Design design = fixed(40);
    design.metric = metric;
    if (lab.better(lab.declare(design, lab.root()))) return true;
  }
  return false;
}

bool change_the_test(Lab& lab) {
  for (const std::int64_t pairs : {12, 20, 30})
    for (const char* test : {"pab_exact", "paired_t", "wilcoxon"}) {
      Design design = fixed(pairs);
      design.test = test;
      if (lab.better(lab.declare(design, lab.root()))) return true;
    }
  return false;
}

bool best_of_many_tests(Lab& lab) {
  const auto study = lab.declare(fixed(20), lab.root());
  if (lab.better(study)) return true;
  for (const char* test : {"sign", "paired_t", "wilcoxon", "welch", "mann_whitney", "brunner_munzel", "unpaired_win"})
    if (lab.better_by(study, test)) return true;
  return false;
}

bool raise_alpha_afterwards(Lab& lab) {
  const auto study = lab.declare(fixed(20), lab.root());
  return lab.better(study) || lab.better_by(study, "sign", 0.2);
}

/// A third of the baseline's runs fail by chance, which the design refuses.
bool change_the_failure_policy(Lab& lab) {
  const auto fail = [&](Comparison& c) {
    for (std::size_t i = 0; i < c.scores.baseline.size(); ++i)
      if (variance::Stream(variance::derive(lab.root(), "fails"), i).next() % 3 == 0) c.scores.baseline[i].reset();
  };
  Design design = fixed(20);
  design.failure = variance::FailurePolicy::refuse;
  if (lab.better(lab.declare(design, lab.root()), fail)) return true;
  design.failure = variance::FailurePolicy::loss;
  return lab.better(lab.declare(design, lab.root()), fail);
}

/// The candidate fails when it does badly, and is drawn again.
bool retry_until_it_succeeds(Lab& lab) {
  const auto study = lab.declare(fixed(20), lab.root());
  return lab.better(study, [&](Comparison& c) {
    for (std::size_t i = 0; i < c.scores.candidate.size(); ++i)
      for (std::int64_t again = 1; *c.scores.candidate[i] < 80 && again < 20; ++again) {
        c.scores.candidate[i] = null_score(lab.root() + static_cast<std::uint64_t>(again), "again",
                                           std::ssize(c.scores.candidate) + static_cast<std::int64_t>(i));
        c.retries.most = std::max(c.retries.most, again);
      }
  });
}

bool drop_the_worst_third(Lab& lab, Design design) {
  design.failure = variance::FailurePolicy::drop;
  return lab.better(lab.declare(design, lab.root()), [](Comparison& c) {
    for (auto& score : c.scores.candidate)
      if (*score < 80 - 0.43) score.reset();  // the lowest third of a standard normal score
  });
}

bool drop_in_a_fixed_design(Lab& lab) {
  return drop_the_worst_third(lab, fixed(42));
}

bool new_seeds_until_better(Lab& lab) {
  for (std::uint64_t i = 0; i < 6; ++i)
    if (lab.better(lab.declare(fixed(30), lab.root() + i))) return true;
  return false;
}

/// Each study of more pairs says the same in other words.
bool extend_under(Lab& lab, const std::function<Asked(std::int64_t pairs)>& asked) {
  for (std::int64_t pairs = 10; pairs <= 60; pairs += 10)
    if (lab.better(lab.declare(fixed(pairs), lab.root(), asked(pairs)))) return true;
  return false;
}

bool turn_a_key_that_nothing_reads(Lab& lab) {
  return extend_under(lab, [](std::int64_t pairs) -> Asked {
    return {.keys = {{"lr", 0.001 * static_cast<double>(pairs)}, {"defect_at", pairs - 10}}};
  });
}

bool turn_a_key_without_an_effect(Lab& lab) {
  return extend_under(lab, [](std::int64_t pairs) -> Asked {
    return {.keys = {{"interaction", 1e-9 * static_cast<double>(pairs)}}};
  });
}

bool turn_the_schedule(Lab& lab) {
  return extend_under(lab, [](std::int64_t pairs) -> Asked { return {.keys = {{"epochs", pairs}, {"steps", pairs}}}; });
}

bool read_a_further_metric(Lab& lab) {
  return extend_under(lab, [](std::int64_t pairs) -> Asked {
    return {.workload = "command",
            .keys = {{"command", std::string("train --seed {seed}")}, {"read", "score\nloss" + std::to_string(pairs)}}};
  });
}

bool put_blanks_into_the_command(Lab& lab) {
  return extend_under(lab, [](std::int64_t pairs) -> Asked {
    return {.workload = "command",
            .keys = {{"command", std::string(static_cast<std::size_t>(pairs), ' ') + "'train'  --seed {seed}"},
                     {"read", std::string("score")}}};
  });
}

bool add_a_word_without_an_effect(Lab& lab) {
  return extend_under(lab, [](std::int64_t pairs) -> Asked {
    return {
        .workload = "command",
        .keys = {{"command", "train --seed {seed} --log " + std::to_string(pairs)}, {"read", std::string("score")}}};
  });
}

/// The seed is another one, and so are the scores.
bool take_the_other_seed(Lab& lab) {
  std::uint64_t root = lab.root();
  for (const char* seed : {"{seed}", "{seed64}", "{seed:init}", "{seed:dropout}", "{seed:teacher}"})
    if (lab.better(lab.declare(fixed(30), root++,
                               {.workload = "command", .keys = {{"command", "train --seed " + std::string(seed)}}})))
      return true;
  return false;
}

double share(Script script, bool counts_looks) {
  std::int64_t better = 0;
  for (std::int64_t run = 0; run < runs; ++run) {
    Lab lab(variance::derive(20261123, static_cast<std::uint64_t>(run)), counts_looks);
    better += script(lab) ? 1 : 0;
  }
  return static_cast<double>(better) / static_cast<double>(runs);
}

}  // namespace

TEST_CASE("no script obtains a declared BETTER more often than printed", "[slow]") {
  const std::vector<std::pair<std::string, Script>> scripts{
      {"extend a fixed design", extend_a_fixed_design},
      {"peek by a test, then extend", peek_by_a_test_and_extend},
      {"fixed designs after a sequential one", fixed_designs_after_a_sequential_one},
      {"declare the best of six candidates", declare_the_best_candidate},
      {"declare the best of six metrics", declare_the_best_metric},
      {"declare another test", change_the_test},
      {"the best of many tests", best_of_many_tests},
      {"raise alpha afterwards", raise_alpha_afterwards},
      {"another failure policy", change_the_failure_policy},
      {"retry until it succeeds", retry_until_it_succeeds},
      {"drop the worst third", drop_in_a_fixed_design},
      {"new seeds until it is better", new_seeds_until_better},
      {"extend under a key that nothing reads", turn_a_key_that_nothing_reads},
      {"extend under a key without an effect", turn_a_key_without_an_effect},
      {"extend under another number of epochs", turn_the_schedule},
      {"extend with a further metric to read", read_a_further_metric},
      {"extend with blanks in the command", put_blanks_into_the_command},
      {"extend with a word without an effect", add_a_word_without_an_effect},
      {"new seeds by another placeholder", take_the_other_seed}};
  const double bar = alpha + 3 * std::sqrt(alpha * (1 - alpha) / static_cast<double>(runs));
  for (const auto& [name, script] : scripts) {
    INFO(name);
    CHECK(share(script, true) <= bar);
    CHECK(share(script, false) > bar);
  }
}

}  // namespace retrial::tests::adversary_tests
