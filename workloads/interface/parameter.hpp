#pragma once

#include <string>
#include <variant>
#include <vector>

#include "results/text/value.hpp"

namespace retrial::workloads::inline interface {

/// An interval of numbers; infinite ends allowed.
struct Range {
  double low, high;
  bool low_open = false, high_open = false;
};

/// When a key matters: liveness checks skip `evaluation` keys, on which what is trained does not depend (what is
/// reported, how it is computed), and compare `schedule` keys on the whole schedule. A
/// `place` says where something lies, not what it is: a folder of this machine, which enters no identity. The programs
/// make it absolute, seen from the folder of --data. `ties` keys decide what happens to equal scores, which a few steps
/// of training need not have: tests of the workload show them alive.
enum class Reads { training, schedule, evaluation, place, ties };

/// A key that may be set: of a workload, or of one of its views.
struct Parameter {
  std::string name;
  Value fallback;  ///< the default; its alternative is the key's type
  std::string meaning;
  std::variant<std::monostate, Range, std::vector<std::string>>
      allowed;  ///< anything of the type, an interval, choices
  Reads reads = Reads::training;
};

}  // namespace retrial::workloads::inline interface
