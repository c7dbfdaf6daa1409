// Sections 6, 10 and 13 and group D of the specification of automated search: one ledger for any number of threads and
// any load.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <thread>

#include "tests/catch.hpp"
#include "variance/random/rng.hpp"
#include "workloads/automl/searchers/search.hpp"
#include "workloads/automl/searchers/walking/flow2.hpp"
#include "workloads/automl/streams/streams.hpp"

namespace retrial::automl_search_tests {

using namespace retrial::automl;

/// Three learners on a bowl each; costs grow with x0. Evaluations take a random time.
class Bowls final : public core::Problem {
 public:
  bool sleeps = false, remembers = false, costs_known = true, fails = false;
  mutable std::atomic<std::int64_t> trained{0};

  [[nodiscard]] std::string task() const override { return "bowls"; }
  [[nodiscard]] std::vector<std::string> learners() const override { return {"a", "b", "c"}; }
  [[nodiscard]] std::vector<Hyperparameter> space(std::size_t) const override {
    return {{.name = "x0", .low = 0, .high = 1, .init = .2}, {.name = "x1", .low = 0, .high = 1, .init = .2}};
  }
  [[nodiscard]] std::int64_t declared_cost(const Evaluation& e) const override {
    return 10 + static_cast<std::int64_t>(50 * number(e.configuration, "x0", 0));
  }
  [[nodiscard]] bool cost_is_declared(std::size_t learner) const override { return costs_known || learner == 0; }
  [[nodiscard]] Outcome evaluate(const Evaluation& e) const override {
    const std::int64_t before = trained++;
    if (sleeps)
      std::this_thread::sleep_for(std::chrono::microseconds(
          variance::bounded(variance::derive(7, static_cast<std::uint64_t>(before * 31 + e.id)), 3000)));
    if (fails && e.learner == 1) throw std::runtime_error("broken");
    const double x = number(e.configuration, "x0", 0), y = number(e.configuration, "x1", 0),
                 center = .3 + .2 * static_cast<double>(e.learner);
    Outcome out{.loss = (x - center) * (x - center) + (y - .5) * (y - .5) + .01 * static_cast<double>(e.learner),
                .cost = declared_cost(e) - (cost_is_declared(e.learner) ? 0 : e.id % 5)};
    if (remembers) out.loss += 1e-9 * static_cast<double>(before);
    return out;
  }
};

std::unique_ptr<Search> search_of(const Bowls& bowls, std::int64_t workers, std::int64_t threads,
                                  std::int64_t evaluations = 60, std::uint64_t seed = 5) {
  return std::make_unique<Search>(
      bowls,
      SearchOptions{.budget = {.evaluations = evaluations}, .workers = workers, .real_threads = threads, .seed = seed},
      [seed](std::size_t learner, const Space& space) {
        return flow2_sampler(space, {.seed = seed, .learner = learner}, {}, space.cheapest());
      },
      Json{{"format", 1}});
}

results::Digest hash_of(Search& search) {
  while (search.advance()) {
  }
  return search.ledger().hash();
}

TEST_CASE("the ledger depends on virtual workers and seeds, never on threads and load") {
  for (const bool known : {true, false})
    for (const std::int64_t workers : {1, 2, 4}) {
      Bowls quiet, busy;
      quiet.costs_known = busy.costs_known = known;
      busy.sleeps = true;
      const auto expected = hash_of(*search_of(quiet, workers, 1));
      CAPTURE(known, workers);
      for (const std::int64_t threads : {1, 2, 4})
        for (int again = 0; again < 3; ++again) CHECK(hash_of(*search_of(busy, workers, threads)) == expected);
      CHECK(hash_of(*search_of(quiet, workers, 1, 60, 6)) != expected);
    }
  Bowls bowls;
  CHECK(hash_of(*search_of(bowls, 1, 1)) != hash_of(*search_of(bowls, 2, 1)));
}

TEST_CASE("a search that was saved goes on to the same hash, and trains nothing again") {
  for (const std::int64_t workers : {1, 3}) {
    Bowls whole, first, second;
    const auto expected = hash_of(*search_of(whole, workers, 1));
    const auto stopped = search_of(first, workers, 1);
    for (int i = 0; i < 23; ++i) REQUIRE(stopped->advance());
    std::stringstream saved;
    stopped->save(saved);
    const auto continued = search_of(second, workers, 1);
    continued->load(saved);
    CHECK(second.trained == 0);
    CHECK(hash_of(*continued) == expected);
  }
}

TEST_CASE("a saved search of other seeds is refused with the field that differs") {
  Bowls bowls;
  const auto stopped = search_of(bowls, 1, 1);
  for (int i = 0; i < 10; ++i) REQUIRE(stopped->advance());
  std::stringstream saved;
  stopped->save(saved);
  CHECK_THROWS_WITH(search_of(bowls, 1, 1, 60, 6)->load(saved), has_text("automl.ledger: differs at"));
}

// The negative control of the first test: a learner that remembers its earlier trainings.
TEST_CASE("a learner with a memory shows in the ledger") {
  Bowls one, two;
  one.remembers = two.remembers = true;
  two.trained = 3;
  CHECK(hash_of(*search_of(one, 1, 1)) != hash_of(*search_of(two, 1, 1)));
}

TEST_CASE("a learner that fails costs its evaluations, and the others are searched") {
  Bowls bowls;
  bowls.fails = true;
  const auto search = search_of(bowls, 2, 2);
  (void)hash_of(*search);
  std::int64_t failed = 0, others = 0;
  for (const Record& record : search->records()) (record.learner == "b" ? failed : others) += 1;
  CHECK(search->records().size() == 60);
  CHECK(failed > 0);
  CHECK(others > failed);
  REQUIRE(search->best() != nullptr);
  CHECK(search->best()->learner != "b");
  for (const Record& record : search->records())
    CHECK((record.learner == "b") == (record.outcome.error == "learner_failed"));
}

TEST_CASE("a strict budget counts what is under way, and only it ends below the budget") {
  const Bowls bowls;
  for (const bool strict : {false, true}) {
    Search search(
        bowls, {.budget = {.cost = 700, .strict = strict}, .workers = 4, .seed = 5},
        [](std::size_t learner, const Space& space) { return random_sampler(space, {.seed = 5, .learner = learner}); },
        Json{{"format", 1}});
    (void)hash_of(search);
    CAPTURE(search.schedule().spent());
    CHECK((search.schedule().spent() <= 700) == strict);
  }
}

TEST_CASE("each learner has its turn, and the search finds the best of them") {
  Bowls bowls;
  const auto search = search_of(bowls, 1, 1, 150);
  (void)hash_of(*search);
  CHECK(search->best()->learner == "a");
  CHECK(search->best()->outcome.loss < 1e-3);
  for (const char* name : {"a", "b", "c"})
    CHECK(std::ranges::any_of(search->records(), [&](const Record& r) { return r.learner == name; }));
}

TEST_CASE("subsamples grow by a factor, and small tables have none") {
  const auto sizes = [](std::int64_t full, double factor) {
    return ladder({.on = true, .least = 10000, .factor = factor}, full);
  };
  CHECK(sizes(60000, 2) == std::vector<std::int64_t>{10000, 20000, 40000, 60000});
  CHECK(sizes(60000, 4) == std::vector<std::int64_t>{10000, 40000, 60000});
  CHECK(sizes(45000, 4) == std::vector<std::int64_t>{10000, 40000, 45000});
  CHECK(sizes(160000, 2) == std::vector<std::int64_t>{10000, 20000, 40000, 80000, 160000});
  CHECK(sizes(160000, 4) == std::vector<std::int64_t>{10000, 40000, 160000});
  CHECK(sizes(20000, 2) == std::vector<std::int64_t>{20000});
  CHECK(sizes(20001, 2) == std::vector<std::int64_t>{10000, 20000, 20001});
}

/// Words that no source of a search may hold: what comes from a clock, a hash order or another generator.
bool reads_a_clock(const std::string& text) {
  return std::regex_search(text,
                           std::regex("chrono|clock|\\btime\\(|random_device|\\brand\\(|unordered_|thread::id|getenv"));
}

TEST_CASE("no source of a search reads a clock, a load or an order of hashes") {
  int files = 0;
  for (const char* room : {"streams", "core", "searchers"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(RETRIAL_SOURCE_DIR) /
                                                                           "workloads/automl" / room)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path());
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      INFO(entry.path());
      CHECK_FALSE(reads_a_clock(text));
      ++files;
    }
  CHECK(files > 30);
  CHECK(reads_a_clock("const auto now = std::chrono::steady_clock::now();"));
  CHECK(reads_a_clock("std::unordered_map<int, int> seen;"));
}

}  // namespace retrial::automl_search_tests
