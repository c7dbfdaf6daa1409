// Sections 6.5, 11 and 13 of the specification of automated search, for every sampler: one ledger for any number of
// threads, and a search that was saved at a boundary goes on to the same hash.
#include <chrono>
#include <limits>
#include <sstream>
#include <thread>

#include "tests/catch.hpp"
#include "variance/random/rng.hpp"
#include "workloads/automl/searchers/blend.hpp"
#include "workloads/automl/searchers/evolution/cma.hpp"
#include "workloads/automl/searchers/halving/halving.hpp"
#include "workloads/automl/searchers/search.hpp"

namespace retrial::automl_samplers_tests {

using namespace retrial::automl;
using Kind = Hyperparameter::Kind;

/// Two learners with a number, a whole number and a choice each; losses fall with the fidelity, costs grow with it.
class Mixed final : public core::Problem {
 public:
  explicit Mixed(std::int64_t fidelity, bool sleeps = false) : fidelity_(fidelity), sleeps_(sleeps) {}
  [[nodiscard]] std::string task() const override { return "mixed"; }
  [[nodiscard]] std::vector<std::string> learners() const override { return {"a", "b"}; }
  [[nodiscard]] std::vector<Hyperparameter> space(std::size_t) const override {
    return {{.name = "n", .kind = Kind::log_integer, .low = 4, .high = 400, .init = 4, .cheapest = 4.},
            {.name = "c", .kind = Kind::choice, .init = 0, .choices = {"x", "y", "z"}},
            {.name = "r", .kind = Kind::log, .low = 1e-3, .high = 1, .init = .1}};
  }
  [[nodiscard]] std::int64_t full_fidelity() const override { return fidelity_; }
  [[nodiscard]] std::int64_t declared_cost(const Evaluation& e) const override {
    return 3 + whole(e.configuration, "n", 0) * (e.fidelity - e.resumed_from) / fidelity_;
  }
  [[nodiscard]] Outcome evaluate(const Evaluation& e) const override {
    if (sleeps_)
      std::this_thread::sleep_for(
          std::chrono::microseconds(variance::bounded(variance::derive(11, static_cast<std::uint64_t>(e.id)), 400)));
    if (e.id % 13 == 7) throw std::runtime_error("broken");
    const double n = std::log(static_cast<double>(whole(e.configuration, "n", 0)) / 60),
                 r = std::log10(number(e.configuration, "r", 0)) + 2,
                 c = static_cast<double>(whole(e.configuration, "c", 0));
    Outcome out{.loss = n * n + r * r + (c - 1) * (c - 1) + .1 * static_cast<double>(e.learner) +
                        1 / static_cast<double>(e.fidelity),
                .cost = declared_cost(e)};
    for (std::int64_t fold = 0; fold < e.fidelity; ++fold)
      out.fold_losses.push_back(fold < e.resumed_from ? e.fold_losses.at(static_cast<std::size_t>(fold)) : out.loss);
    return out;
  }

 private:
  std::int64_t fidelity_;
  bool sleeps_;
};

struct Named {
  const char* name;
  std::int64_t fidelity;
  std::vector<MakeSampler> makers;
  SampleSizes sizes = {};
};

std::vector<Named> all_samplers(bool parallel) {
  const auto walk = [](Flow2Options options) -> MakeSampler {
    return [options](std::size_t l, const Space& space) {
      return flow2_sampler(space, {.seed = 5, .learner = l}, options, space.cheapest());
    };
  };
  const auto tpe = [](TpeMode mode) -> MakeSampler {
    return [mode](std::size_t l, const Space& space) { return tpe_sampler(space, {5, l}, {.mode = mode}); };
  };
  const MakeSampler cma = [](std::size_t l, const Space& space) {
    return cma_sampler(space, {5, l}, space.cheapest());
  };
  const MakeSampler blend = [](std::size_t l, const Space& space) {
    return blend_sampler(space, {5, l}, {}, {}, 120, space.cheapest());
  };
  const auto asha = [](Pruner pruner) -> MakeSampler {
    return [pruner](std::size_t l, const Space& space) {
      return asha_sampler(space, {5, l}, {.least = 1, .most = 9, .pruner = pruner, .high = 9});
    };
  };
  const MakeSampler hyperband = [parallel](std::size_t l, const Space& space) {
    return hyperband_sampler(space, {5, l}, {.least = 1, .most = 9, .drawn_brackets = parallel});
  };
  const MakeSampler halton = [](std::size_t, const Space& space) { return halton_sampler(space); };
  const SampleSizes shipped{.on = true, .rule = SampleRule::v26, .least = 10, .factor = 4},
      first{.on = true, .rule = SampleRule::v01, .least = 10, .factor = 2};
  return {{"flaml26", 1, {walk({.rule = Flow2Rule::flaml26})}},
          {"flaml26 cfo", 1, {walk({.rule = Flow2Rule::flaml26, .restart = RestartRule::cfo})}},
          {"adaptive cfo", 1, {walk({.restart = RestartRule::cfo})}},
          {"v26", 200, {walk({.rule = Flow2Rule::flaml26, .restart = RestartRule::cfo, .sample_factor = 4})}, shipped},
          {"v01", 200, {walk({.rule = Flow2Rule::paper})}, first},
          {"v5", 1, {tpe(TpeMode::v5)}},
          {"v4u", 1, {tpe(TpeMode::v4u)}},
          {"v4m", 1, {tpe(TpeMode::v4m)}},
          {"hyperopt", 1, {tpe(TpeMode::hyperopt)}},
          {"cma", 1, {cma}},
          {"blend", 1, {blend}},
          {"asha", 9, {asha(Pruner::promotion)}},
          {"stopping", 9, {asha(Pruner::stopping)}},
          {"median", 9, {asha(Pruner::median)}},
          {"threshold", 9, {asha(Pruner::threshold)}},
          {"patient", 9, {asha(Pruner::patient)}},
          {"hyperband", 9, {hyperband}},
          {"portfolio", 1, {walk({}), tpe(TpeMode::v5), cma, halton}}};
}

std::unique_ptr<Search> search_of(const Mixed& problem, const Named& named, std::int64_t workers, std::int64_t threads,
                                  std::int64_t evaluations = 120) {
  SearchOptions options{.budget = {.evaluations = evaluations}, .workers = workers, .real_threads = threads};
  options.by_cost = named.sizes.on || named.makers.size() > 1;
  options.sizes = named.sizes;
  options.seed = 5;
  options.other_samplers.assign(named.makers.begin() + 1, named.makers.end());
  return std::make_unique<Search>(problem, options, named.makers.front(), Json{{"format", 1}});
}

results::Digest hash_of(Search& search) {
  while (search.advance()) {
  }
  return search.ledger().hash();
}

TEST_CASE("every sampler gives one ledger for any number of threads") {
  for (const std::int64_t workers : {1, 4})
    for (const Named& named : all_samplers(workers > 1)) {
      CAPTURE(named.name, workers);
      const Mixed quiet(named.fidelity), busy(named.fidelity, true);
      const auto search = search_of(quiet, named, workers, 1, 60);
      const auto expected = hash_of(*search);
      CHECK(search->records().size() == 60);
      for (const std::int64_t threads : {2, 4})
        CHECK(hash_of(*search_of(busy, named, workers, threads, 60)) == expected);
    }
}

TEST_CASE("every sampler goes on from every boundary") {
  for (const std::int64_t workers : {1, 3})
    for (const Named& named : all_samplers(workers > 1)) {
      CAPTURE(named.name, workers);
      const Mixed problem(named.fidelity);
      const auto expected = hash_of(*search_of(problem, named, workers, 1));
      for (const int boundary : {1, 47, 119}) {
        const auto stopped = search_of(problem, named, workers, 1), continued = search_of(problem, named, workers, 1);
        for (int i = 0; i < boundary; ++i) REQUIRE(stopped->advance());
        std::stringstream saved;
        stopped->save(saved);
        continued->load(saved);
        CHECK(hash_of(*continued) == expected);
      }
    }
}

TEST_CASE("larger samples come when the rule asks for them, and cost what they train") {
  for (const Named& named : all_samplers(false)) {
    if (!named.sizes.on) continue;
    CAPTURE(named.name);
    const Mixed problem(named.fidelity);
    const auto search = search_of(problem, named, 1, 1);
    (void)hash_of(*search);
    std::int64_t enlarged = 0;
    for (const Record& record : search->records()) enlarged += record.origin == "flow2:enlarge" ? 1 : 0;
    CHECK(enlarged >= 2);
    CHECK(search->records().front().evaluation.fidelity == 10);
    CHECK(search->best()->evaluation.fidelity == 200);
  }
}

TEST_CASE("what goes on keeps its configuration and pays the difference") {
  const Mixed problem(9);
  for (const Named& named : all_samplers(false)) {
    if (named.fidelity != 9) continue;
    CAPTURE(named.name);
    const auto search = search_of(problem, named, 1, 1);
    (void)hash_of(*search);
    std::int64_t resumed = 0;
    for (const Record& record : search->records()) {
      if (record.evaluation.resumed_from == 0) continue;
      ++resumed;
      const auto parent =
          std::ranges::find(search->records(), record.parent, [](const Record& other) { return other.evaluation.id; });
      REQUIRE(parent != search->records().end());
      CHECK(parent->evaluation.configuration == record.evaluation.configuration);
      CHECK(parent->evaluation.fidelity == record.evaluation.resumed_from);
      CHECK(record.outcome.cost <= problem.declared_cost(record.evaluation));
    }
    CHECK(resumed > 0);
  }
}

TEST_CASE("a portfolio of methods tries each arm and goes on with those that pay") {
  const Mixed problem(1);
  for (const Named& named : all_samplers(false)) {
    if (named.makers.size() == 1) continue;
    const auto search = search_of(problem, named, 1, 1);
    (void)hash_of(*search);
    std::map<std::string, int> origins;
    for (const Record& record : search->records()) ++origins[record.learner + " " + record.origin.substr(0, 5)];
    for (const char* arm : {"a cma", "b cma", "a halto", "b halto", "a flow2", "b flow2", "a rando", "b rando"})
      CHECK(origins[arm] > 0);
  }
}

// Mistake 3: the opposite of a direction is tried from a moved incumbent; the 12 digits of a configuration let the
// cache meet it.
TEST_CASE("a point that FLAML's walk tries again comes from the cache and costs one unit") {
  const Mixed problem(1);
  const auto search = search_of(problem, all_samplers(false).front(), 1, 1);
  (void)hash_of(*search);
  std::int64_t again = 0;
  for (const Record& record : search->records())
    if (record.origin.ends_with("|cache")) {
      ++again;
      CHECK(record.outcome.cost == 1);
    }
  CHECK(again > 0);
}

}  // namespace retrial::automl_samplers_tests
