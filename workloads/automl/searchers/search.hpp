#pragma once

#include <future>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <vector>

#include "workloads/automl/core/improvement.hpp"
#include "workloads/automl/core/ledger.hpp"
#include "workloads/automl/core/problem.hpp"
#include "workloads/automl/core/schedule.hpp"
#include "workloads/automl/searchers/proposals/sampler.hpp"

/// A whole search over learners and their configurations: FLAML's machine (Wang, Wu, Weimer and Zhu 2021) in cost units
/// and virtual time, or a simpler searcher in its place.
namespace retrial::automl::inline searchers {

/// Makes the sampler of one learner of the search.
using MakeSampler = std::function<std::unique_ptr<Sampler>(std::size_t learner, const Space& space)>;

/// When a learner trains on more rows: when its own improvement would cost more (paper), when the last evaluation did
/// not improve or that cost more than twice the best (FLAML 0.1), when the walk asks for it (FLAML 2.6).
enum class SampleRule { paper, v01, v26 };

/// Sizes of subsamples: `least`, then `factor` times the last, then all rows. Off where the second would be all rows.
struct SampleSizes {
  bool on = false;
  SampleRule rule = SampleRule::paper;
  std::int64_t least = 10000;
  double factor = 2;
};
[[nodiscard]] std::vector<std::int64_t> ladder(const SampleSizes& sizes, std::int64_t full);

/// A configuration that is evaluated before the search.
struct Portfolio {
  std::string name;
  std::size_t learner = 0;
  Chosen configuration;
};

struct SearchOptions {
  Budget budget;
  std::int64_t workers = 1;       ///< virtual: they define the result
  std::int64_t real_threads = 1;  ///< they define the speed
  bool by_cost = true;            ///< learners by their estimated cost for improvement; else with equal chances
  ImprovementRule rule = ImprovementRule::paper;
  double gap_factor = 2;
  SampleSizes sizes = {};
  bool cache = true;
  std::vector<Portfolio> portfolio = {};  ///< in the order of declared cost while they fit
  double portfolio_share = 0.25;          ///< of the budget
  bool start_from_best = true;            ///< walks start at the best of their learner in the portfolio
  std::uint64_t seed = 0;                 ///< source seed of hopt
  /// Evaluates in place of the problem, as one that measures times does; empty: the problem itself. From any thread.
  std::function<Outcome(const Problem&, const Evaluation&)> evaluate = {};
  /// Further samplers of each learner: pairs of learner and sampler are then what is chosen by cost.
  std::vector<MakeSampler> other_samplers = {};
};

class Search {
 public:
  /// `problem` outlives the search.
  Search(const Problem& problem, const SearchOptions& options, const MakeSampler& make, const Json& header);
  ~Search();

  /// Delivers the next evaluation; false: the search is over.
  [[nodiscard]] bool advance();

  [[nodiscard]] const Ledger& ledger() const { return ledger_; }
  [[nodiscard]] const std::vector<Record>& records() const { return records_; }
  /// The best record, by loss and then by id; none while every evaluation failed.
  [[nodiscard]] const Record* best() const;
  [[nodiscard]] const Schedule& schedule() const { return schedule_; }

  /// The prefix of the ledger with its results; the search is proposed again from the seeds and fed with them. Throws
  /// std::runtime_error where a proposal differs from the stored one.
  void save(std::ostream& to) const;
  void load(std::istream& from);

 private:
  struct Thread;
  struct Under {
    Record record;
    std::future<Outcome> outcome;
    std::size_t thread = 0;
    bool by_sampler = true, enlarges = false;
  };

  void propose_all();
  [[nodiscard]] std::optional<Under> proposal(std::int64_t id);
  [[nodiscard]] std::optional<Under> of_portfolio(std::int64_t id);
  [[nodiscard]] std::optional<Under> of_thread(std::int64_t id, std::size_t place);
  [[nodiscard]] bool enlarges(const Thread& thread) const;
  void resize(Thread& thread, std::size_t size);
  void go_on(Evaluation& evaluation, std::int64_t parent) const;
  [[nodiscard]] std::optional<std::size_t> next_thread(const std::vector<bool>& waiting);
  [[nodiscard]] double estimated(const Thread& thread) const;
  void launch(Under under, std::int64_t worker);
  [[nodiscard]] std::future<Outcome> started(Record& record);
  void learn(const Under& under, const Record& record);
  [[nodiscard]] double charged(const Record& record) const;
  void count(Thread& thread, const Record& record, bool enlarges);
  [[nodiscard]] std::string cache_key(const Evaluation& evaluation) const;

  const Problem& problem_;
  SearchOptions options_;
  std::vector<std::string> names_;
  std::vector<Thread> threads_;
  std::vector<Portfolio> portfolio_;
  Schedule schedule_;
  Ledger ledger_;
  std::vector<Record> records_;
  std::optional<std::size_t> best_;
  std::map<std::int64_t, Under> under_;
  std::map<std::string, Outcome> cache_;
  std::map<std::int64_t, Outcome> stored_;  ///< results of a saved prefix, by id
  std::uint64_t draws_ = 0;                 ///< of learners so far
  std::counting_semaphore<> free_threads_;
};

}  // namespace retrial::automl::inline searchers
