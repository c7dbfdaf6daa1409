#include "harness/price/price_run.hpp"

#include "harness/system/host.hpp"
#include "harness/system/signals.hpp"
#include "harness/text/failure_text.hpp"
#include "results/text/error.hpp"

namespace retrial::harness::inline price {
namespace {

void demand_priced(const PriceSubject& subject, const JobResult& result) {
  if (result.event.kind == WorkerEvent::Kind::priced) return;
  throw Error({.exit = result.event.failure == "price.no_torch" ? Exit::incomparable : Exit::measurement,
               .code = "price.failed",
               .where = subject.name,
               .problem = "could not be timed: " + failure_line(result.message, 800)});
}

JobResult run_alone(const PriceSubject& subject, const Arm& arm, const PriceSettings& settings) {
  const ScratchFolder scratch;  // a network that another run has trained would save this one its steps
  PoolSettings alone = settings.pool;
  alone.mode = arm.mode;
  WorkerPool pool(alone);
  RunOrder order{.trial = subject.trial, .price = subject.order, .place = subject.place};
  order.price->fill = arm.fill;
  order.price->warmup = settings.warmup;
  order.price->steps = settings.steps;
  order.place.cache = scratch.path() / "cache";
  order.place.out = scratch.path() / "out";
  std::filesystem::create_directories(order.place.out);
  pool.start(0, std::move(order));
  for (;;) {
    if (SignalWatch::count() > 0)
      throw Error({.exit = SignalWatch::first() == 2 ? Exit::interrupted : Exit::terminated,
                   .code = "interrupted",
                   .problem = "interrupted; a price list stores nothing"});
    if (auto ended = pool.wait(std::chrono::milliseconds(250)); !ended.empty()) return std::move(ended.front());
  }
}

}  // namespace

PriceList measure_prices(const std::vector<PriceSubject>& subjects, const PriceDesign& design,
                         const PriceSettings& settings) {
  PriceList out;
  const std::size_t arms = design.arms.size(), runs = subjects.size() * arms * static_cast<std::size_t>(settings.pairs);
  std::size_t done = 0;
  for (const PriceSubject& subject : subjects) {
    const auto times = measure_pairs(arms, settings.pairs, [&](std::size_t arm) {
      auto result = run_alone(subject, design.arms[arm], settings);
      demand_priced(subject, result);
      out.manifest = std::move(result.manifest);
      if (settings.progress) settings.progress(subject.name, ++done, runs);
      return std::move(result.event.times);
    });
    out.subjects.push_back(priced_subject(subject.name, subject.meaning, design, times));
  }
  return out;
}

}  // namespace retrial::harness::inline price
