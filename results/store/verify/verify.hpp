#pragma once

#include "results/store/state.hpp"

namespace retrial::results::inline store {

/// Collects findings; a check that cannot continue because of damage becomes a finding itself.
class Findings {
 public:
  void add(const std::string& table, const std::string& row, const std::string& problem) {
    list_.push_back({table, row, problem});
  }
  template <typename F>
  void guarded(const std::string& table, const std::string& row, F&& check) {
    try {
      check();
    } catch (const Error& error) {
      if (error.text.exit == Exit::measurement) throw;  // too little memory is not damage
      add(table, row, error.what());
    }
  }
  [[nodiscard]] std::vector<Damage> take() { return std::move(list_); }

 private:
  std::vector<Damage> list_;
};

void verify_pages(Connection& connection, bool full, Findings& out);
void verify_documents(Connection& connection, Findings& out);
void verify_environments(Connection& connection, Findings& out);
void verify_studies(Connection& connection, Findings& out);
void verify_verdicts(Connection& connection, Findings& out);
void verify_meta(Connection& connection, Findings& out);
void verify_trials(Connection& connection, Findings& out);
void verify_series(Connection& connection, Findings& out);
void verify_metric_values(Connection& connection, Findings& out);
void verify_artifacts(Connection& connection, Findings& out);
/// An artifact of JSON lines against the digests of its name (Chain): names the first record that differs.
void verify_chain(Connection& connection, std::int64_t trial, const std::string& name, const std::string& text,
                  Findings& out);
void verify_events(Connection& connection, Findings& out);
void verify_tallies(Connection& connection, Findings& out);

}  // namespace retrial::results::inline store
