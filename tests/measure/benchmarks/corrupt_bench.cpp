// What corruptions cost: a set of images on one thread and on several, and Poisson draws by tables against adding up
// the distribution for every value.
#include <benchmark/benchmark.h>

#include "variance/random/portable.hpp"
#include "workloads/data/corrupt/corrupt.hpp"
#include "workloads/data/images/poisson.hpp"

namespace retrial::tests::corrupt_bench {

using namespace retrial;

namespace {

data::ImageSet photographs(std::uint32_t count) {
  data::ImageSet set{.name = "bench", .count = count, .shape = {3, 32, 32}, .classes = 1};
  set.labels.assign(count, 0);
  set.pixels.resize(count * set.shape.pixels());
  for (std::size_t i = 0; i < set.pixels.size(); ++i) set.pixels[i] = static_cast<std::uint8_t>(i * 31 % 253);
  return set;
}

/// One pass is the portable corruptions at severity 3.
void portable_set(benchmark::State& state) {
  const auto set = photographs(1000);
  std::vector<std::uint32_t> rows(set.count);
  for (std::uint32_t row = 0; row < set.count; ++row) rows[row] = row;
  const auto threads = static_cast<std::size_t>(state.range(0));
  for (auto step : state)
    for (const std::string& name : corrupt::portable())
      benchmark::DoNotOptimize(
          corrupt::corrupted(set, rows, {.name = name, .severity = 3, .seed = 1, .threads = threads}).pixels.data());
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * corrupt::portable().size() * set.count));
}
BENCHMARK(portable_set)->ArgName("threads")->Arg(1)->Arg(2)->Arg(8)->UseRealTime()->Unit(benchmark::kMillisecond);

void corruption(benchmark::State& state, const std::string& name) {
  const auto set = photographs(1);
  const auto& row = corrupt::find(name);
  std::vector<std::uint8_t> out(set.shape.pixels());
  std::uint64_t index = 0;
  for (auto step : state) {
    corrupt::apply(row, 3, {set.shape, set.image(0)}, out, variance::Stream(1, index++));
    benchmark::DoNotOptimize(out.data());
  }
}
const bool registered = [] {
  for (const std::string& name : corrupt::available())
    benchmark::RegisterBenchmark(("corruption/" + name).c_str(), corruption, name)->Unit(benchmark::kMicrosecond);
  return true;
}();

constexpr double rate = 100;  // severity 3

void poisson_by_tables(benchmark::State& state) {
  const auto& tables = corrupt::poisson_tables(rate, 255);
  variance::Stream draws(1);
  std::size_t v = 0;
  for (auto step : state) benchmark::DoNotOptimize(tables[v++ % 256].inverse(variance::uniform_open(draws.next())));
}
BENCHMARK(poisson_by_tables);

/// The inversion that needs no table: terms are added until they reach u.
std::int64_t sequential_inverse(double mean, double u) {
  double term = variance::portable_exp(-mean), sum = term;
  std::int64_t k = 0;
  while (sum < u && term > 0) {
    ++k;
    term = term * mean / static_cast<double>(k);
    sum += term;
  }
  return k;
}

void poisson_sequential(benchmark::State& state) {
  variance::Stream draws(1);
  std::size_t v = 0;
  for (auto step : state)
    benchmark::DoNotOptimize(
        sequential_inverse(static_cast<double>(v++ % 256) / 255 * rate, variance::uniform_open(draws.next())));
}
BENCHMARK(poisson_sequential);

}  // namespace

}  // namespace retrial::tests::corrupt_bench
