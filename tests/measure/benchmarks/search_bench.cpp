// CPU time of one evaluation of a search without its training: a proposal in ten dimensions and the loss that comes
// back.
#include <benchmark/benchmark.h>

#include "workloads/automl/searchers/blend.hpp"
#include "workloads/automl/searchers/evolution/cma.hpp"
#include "workloads/automl/searchers/search.hpp"

namespace retrial::tests::search_bench {

using namespace retrial::automl;

namespace {

constexpr std::int64_t evaluations = 1000;

/// A sphere whose center no start is near.
class Sphere final : public Problem {
 public:
  [[nodiscard]] std::string task() const override { return "function"; }
  [[nodiscard]] std::vector<std::string> learners() const override { return {"function"}; }
  [[nodiscard]] std::vector<Hyperparameter> space(std::size_t) const override {
    std::vector<Hyperparameter> out;
    for (char i = '0'; i <= '9'; ++i) out.push_back({.name = std::string("x") + i, .low = -5, .high = 5, .init = 4});
    return out;
  }
  [[nodiscard]] std::int64_t declared_cost(const Evaluation&) const override { return 1; }
  [[nodiscard]] Outcome evaluate(const Evaluation& evaluation) const override {
    double sum = 0;
    for (const auto& [name, value] : evaluation.configuration) {
      const double x = std::get<double>(value) - 1.2345;
      sum += x * x;
    }
    return {.loss = sum};
  }
};

using Make = std::unique_ptr<Sampler> (*)(const Space&);

void sampler(benchmark::State& state, Make make) {
  const Sphere sphere;
  const Space space(sphere.space(0));
  for (auto _ : state) {
    const auto sampler = make(space);
    for (std::int64_t id = 0; id < evaluations; ++id)
      sampler->observe(id, sphere.evaluate({.configuration = sampler->propose(id)->configuration}).loss);
  }
  state.SetItemsProcessed(state.iterations() * evaluations);
}

BENCHMARK_CAPTURE(sampler, flow2, [](const Space& s) { return flow2_sampler(s, {1, 0}, {}, s.initial()); });
BENCHMARK_CAPTURE(sampler, flaml26, [](const Space& s) {
  return flow2_sampler(s, {1, 0}, {.rule = Flow2Rule::flaml26}, s.initial());
});
BENCHMARK_CAPTURE(sampler, tpe, [](const Space& s) { return tpe_sampler(s, {1, 0}, {}); });
BENCHMARK_CAPTURE(sampler, cma, [](const Space& s) { return cma_sampler(s, {1, 0}, s.initial()); });
BENCHMARK_CAPTURE(sampler, blend, [](const Space& s) {
  return blend_sampler(s, {1, 0}, {}, {}, evaluations, s.initial());
});

/// With virtual time, cache and ledger.
void search(benchmark::State& state) {
  const Sphere sphere;
  for (auto _ : state) {
    Search search(
        sphere, {.budget = {.evaluations = evaluations}},
        [](std::size_t l, const Space& s) {
          return flow2_sampler(s, {1, l}, {}, s.initial());
        },
        Json{{"format", 1}});
    while (search.advance()) {
    }
    benchmark::DoNotOptimize(search.ledger().hash());
  }
  state.SetItemsProcessed(state.iterations() * evaluations);
}
BENCHMARK(search);

}  // namespace
}  // namespace retrial::tests::search_bench
