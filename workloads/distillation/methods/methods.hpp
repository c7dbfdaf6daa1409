#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "results/text/value.hpp"

namespace retrial::distillation::inline methods {

enum class Reduction { batch_mean, element_mean, sum };
/// The words of the key `reduction`, in the order of the enumerators.
[[nodiscard]] const std::vector<std::string>& reduction_names();

/// One convention for all methods: w_ce multiplies the hard label's term, w_soft the teacher's, w_feat the terms that a
/// method adds. "alpha" and "lambda" mean opposite things in other programs and exist nowhere here.
struct Weights {
  double w_ce = .5, w_soft = .5, temperature = 4;
  bool t_squared = true;
  Reduction reduction = Reduction::batch_mean;
};
[[nodiscard]] Weights weights_of(const Values& values);

/// Whether a term pulls toward a teacher: all terms but that of the labels.
[[nodiscard]] inline bool imitates(std::string_view term) {
  return term != "ce";
}

/// One term of a method and the key that weighs it; without a key its weight is `factor`. A term that warms up has
/// min(epoch/20, 1) of its weight, epoch from 1.
struct TermUse {
  std::string term, weight_key;
  double factor = 1;
  bool warms_up = false;
};

/// Requirements of a method on networks and batches, checked before the first trial.
struct Needs {
  bool maps = false;            ///< feature maps in teacher and student, with the same number of stages
  bool equal_channels = false;  ///< in every stage
  bool equal_sizes = false;     ///< maps before the closing ReLU
  bool norms = false;           ///< a batch norm before the teacher's closing ReLUs
  std::int64_t batch = 1;       ///< min rows of a batch
};

/// The objective that a method's terms are added to: none (they are the whole objective), cross entropy with weight 1,
/// or kd.
enum class Base { none, ce, kd };

/// A distillation method.
struct Method {
  std::string name, summary;
  std::vector<TermUse> terms;
  bool needs_teacher = true;
  bool teacher_optional = false;  ///< teacher = none is allowed: then only the labels
  bool needs_assistant = false;
  Base base = Base::none;  ///< the default of the key `base`; with none the key is not read
  double w_feat = 0;       ///< the source's weight, the default of the key `w_feat`; 0: the key is not read
  std::vector<std::string> modes = {};  ///< values of the key `mode`, the default first
  /// A first phase. alone: the terms alone train the student for init_epochs, then the base without them. preparation:
  /// the tensors of the term are trained first, the student is constant.
  enum class First { none, alone, preparation } first = First::none;
  std::int64_t init_epochs = 0;  ///< the source's, the default of the key `init_epochs`
  Needs needs = {};
  std::vector<std::string> keys = {};  ///< other keys it reads
};
/// In the order of the catalogue.
[[nodiscard]] const std::vector<Method>& all_methods();
/// Throws InvalidInput("method") with all names.
[[nodiscard]] const Method& find_method(const std::string& name);
[[nodiscard]] std::vector<std::string> method_names();
/// Values of the key `mode`: "default", then those of all methods.
[[nodiscard]] std::vector<std::string> mode_names();
/// All terms of all methods, in the order of the catalogue.
[[nodiscard]] std::vector<std::string> term_names();

/// The method that the keys name, with its settings.
[[nodiscard]] const Method& method_of(const Values& values);
/// Whether the trial trains a teacher: a trial without one reads no teacher key.
[[nodiscard]] bool has_teacher(const Values& values);
[[nodiscard]] bool has_assistant(const Values& values);
/// Whether a term uses more of a network than its logits.
[[nodiscard]] bool sees_features(const std::string& term);
/// Whether a term compares softened logits: it reads the temperature, and the optimizer dot needs it.
[[nodiscard]] bool has_soft_term(const Values& values);
/// The keys that the method reads under these values.
[[nodiscard]] std::vector<std::string> method_keys(const Values& values);

/// A term with its weight.
struct WeightedTerm {
  std::string term;
  double weight = 1;
  bool warms_up = false;

  /// `epoch` from 0.
  [[nodiscard]] double weight_at(std::int64_t epoch) const;
};

/// One phase of a student. The main phase has no name; a preparation trains the tensors of the terms and not the
/// student.
struct PhasePlan {
  std::string name;
  std::int64_t epochs = 0;
  std::vector<WeightedTerm> terms;
  bool preparation = false;
};
/// In their order; the last one is the main phase.
[[nodiscard]] std::vector<PhasePlan> phases_of(const Values& values);

/// Numbers from the keys for the losses.
struct Options {
  Weights weights;
  std::string mode;
  std::int64_t hint_layer = 2, negatives = 16384;
};
[[nodiscard]] Options options_of(const Values& values);

}  // namespace retrial::distillation::inline methods
