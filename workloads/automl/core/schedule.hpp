#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

/// Virtual time: which of W workers trains what, and in which order results arrive, as a function of costs alone. Real
/// threads and the load of a machine change nothing.
namespace retrial::automl::inline core {

/// Cost units and evaluations; 0: no limit.
struct Budget {
  std::int64_t cost = 0, evaluations = 0;
  bool strict = false;  ///< never exceeded, not even by the last evaluation
};

struct Flight {
  std::int64_t id = 0, worker = 0, start = 0, end = 0;
  std::int64_t declared = 1;
};

/// The evaluations under way. The caller proposes while `free_worker` has one and the budget admits, then lands one.
class Schedule {
 public:
  Schedule(std::int64_t workers, const Budget& budget);
  /// The idle worker of the lowest number; none while results of the present moment are still to be delivered.
  [[nodiscard]] std::optional<std::int64_t> free_worker() const;
  /// Whether an evaluation of this declared cost may start.
  [[nodiscard]] bool admits(std::int64_t declared) const;
  /// What is left for one evaluation.
  [[nodiscard]] std::int64_t left() const { return budget_.cost - spent_; }
  void start(std::int64_t id, std::int64_t worker, std::int64_t declared);
  /// Known from the result: the charge.
  void set_cost(std::int64_t id, std::int64_t cost);

  [[nodiscard]] const std::vector<Flight>& under_way() const { return flights_; }
  /// Takes the next one in the order of delivery: least end, then least id. Ends must be right (set_cost).
  [[nodiscard]] Flight land();

  [[nodiscard]] std::int64_t now() const { return now_; }
  [[nodiscard]] std::int64_t spent() const { return spent_; }
  [[nodiscard]] std::int64_t started() const { return started_; }
  /// Busy share of all workers until now; 0 at the start.
  [[nodiscard]] double utilisation() const;
  [[nodiscard]] const Budget& budget() const { return budget_; }

 private:
  std::int64_t workers_;
  Budget budget_;
  std::vector<Flight> flights_;
  std::set<std::int64_t> idle_;
  std::int64_t now_ = 0, spent_ = 0, reserved_ = 0, started_ = 0, busy_ = 0;
};

}  // namespace retrial::automl::inline core
