#include "workloads/automl/problems/surrogate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <stdexcept>

#include "results/text/error.hpp"
#include "results/text/file_system.hpp"
#include "workloads/automl/problems/onnx.hpp"
#include "workloads/data/files/files.hpp"

namespace retrial::automl::inline problems {
namespace {

constexpr const char* file_name = "yahpo-lcbench/model.onnx";
constexpr const char* file_sha256 = "b45c0d85ae39abf8820c8bea5ac82f415763afcbaf3b725e36af452b09cb6dcd";
constexpr std::int64_t epochs = 52;
constexpr std::size_t embedding_width = 24, blocks = 3, outputs = 6;
constexpr float least = 1e-12F;  ///< below the logarithms

/// (x - shift) / scale, of ln(x + 1e-12) where it is a logarithm: constants in the graph.
struct InputScale {
  bool log;
  float shift, scale;
};
constexpr std::array<InputScale, 8> input_scales{{{true, 0.0F, 3.9512436389923096F},
                                                  {false, 16.0F, 495.0F},
                                                  {true, -9.209311485290527F, 6.896975040435791F},
                                                  {false, 0.10000386089086533F, 0.8822514414787292F},
                                                  {true, -9.91645622253418F, 7.6138458251953125F},
                                                  {false, 1.0F, 3.0F},
                                                  {false, 64.0F, 960.0F},
                                                  {false, 0.0005357532645575702F, 0.9994120597839355F}}};
/// scale * sigmoid + shift, and exp(.) - 1e-12 where it was a logarithm.
struct OutputScale {
  bool log;
  float scale, shift;
};
constexpr std::array<OutputScale, outputs> output_scales{{{false, 46790.66796875F, 0.00014209747314453125F},
                                                          {true, 32.233848571777344F, -27.63102149963379F},
                                                          {false, 34.48017883300781F, 0.018199017271399498F},
                                                          {true, 27.624671936035156F, -27.630813598632812F},
                                                          {false, 5.54842472076416F, 0.3263173997402191F},
                                                          {true, 27.626203536987305F, -27.63102149963379F}}};

using Vector = std::vector<float>;

const Tensor& tensor(const std::map<std::string, Tensor>& all, const std::string& name,
                     const std::vector<std::int64_t>& shape) {
  const auto found = all.find(name);
  if (found == all.end() || found->second.shape != shape)
    throw std::invalid_argument("has no tensor " + name + " of the expected shape");
  return found->second;
}

Vector clipped(Vector values) {
  for (float& value : values) value = std::max(value, 0.0F);
  return values;
}

}  // namespace

/// y = W x + b, with the sums of all outputs in the order of the inputs: several outputs at a time are computed with
/// one instruction, and no sum changes its order.
struct LcbenchNetwork::Layer {
  Vector transposed, bias;
  Vector scale, shift;  ///< of the batch norm before it; empty: none

  Layer(const std::map<std::string, Tensor>& all, const std::string& name, std::int64_t in, std::int64_t out,
        const std::string& norm) {
    const Tensor& weight = tensor(all, name + ".weight", {out, in});
    bias = tensor(all, name + ".bias", {out}).values;
    transposed.resize(weight.values.size());
    for (std::int64_t o = 0; o < out; ++o)
      for (std::int64_t i = 0; i < in; ++i)
        transposed[static_cast<std::size_t>(i * out + o)] = weight.values[static_cast<std::size_t>(o * in + i)];
    if (norm.empty()) return;
    const auto part = [&](const char* which) { return tensor(all, norm + which, {in}).values; };
    const Vector gain = part(".weight"), offset = part(".bias"), mean = part(".running_mean"),
                 variance = part(".running_var");
    for (std::size_t i = 0; i < gain.size(); ++i) {
      scale.push_back(gain[i] / std::sqrt(variance[i] + 1e-5F));
      shift.push_back(offset[i] - mean[i] * scale[i]);
    }
  }
  [[nodiscard]] Vector normed(const Vector& x) const {
    Vector out(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = x[i] * scale[i] + shift[i];
    return out;
  }
  [[nodiscard]] Vector applied(const Vector& x) const {
    Vector out = bias;
    const std::size_t width = out.size();
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float* row = transposed.data() + i * width;
      for (std::size_t o = 0; o < width; ++o) out[o] += row[o] * x[i];
    }
    return out;
  }
};

// Published maxima of the validation accuracy for 167168, 189873 and 189906 (YAHPO Gym); the others are the best of
// 20,000 uniform points of the network itself at 52 epochs (tests/workloads/automl/problems/surrogate_tests.cpp).
const std::vector<LcbenchInstance>& lcbench_instances() {
  static const std::vector<LcbenchInstance> all{
      {"3945", 34, 99.602},   {"7593", 35, 82.726},   {"34539", 33, 99.019},  {"126025", 1, 96.710},
      {"126026", 2, 99.454},  {"126029", 3, 96.639},  {"146212", 4, 99.053},  {"167104", 6, 94.879},
      {"167149", 7, 99.086},  {"167152", 8, 97.789},  {"167161", 9, 87.626},  {"167168", 10, 87.949},
      {"167181", 11, 93.836}, {"167184", 12, 84.433}, {"167185", 13, 97.299}, {"167190", 14, 89.299},
      {"167200", 15, 82.497}, {"167201", 16, 82.232}, {"168329", 17, 43.998}, {"168330", 18, 74.353},
      {"168331", 19, 78.954}, {"168335", 20, 97.268}, {"168868", 21, 99.690}, {"168908", 22, 84.637},
      {"168910", 23, 83.093}, {"189354", 24, 88.630}, {"189862", 25, 92.137}, {"189865", 26, 97.642},
      {"189866", 27, 83.126}, {"189873", 28, 94.516}, {"189905", 29, 96.336}, {"189906", 30, 93.068},
      {"189908", 31, 91.681}, {"189909", 32, 84.073},
  };
  return all;
}

const LcbenchInstance* lcbench_if_known(const std::string& name) {
  const auto found = std::ranges::find(lcbench_instances(), name, &LcbenchInstance::name);
  return found == lcbench_instances().end() ? nullptr : &*found;
}

const results::Digest& LcbenchNetwork::digest() {
  static const results::Digest digest = results::digest_from_hex(file_sha256, "LCBench");
  return digest;
}

std::shared_ptr<const LcbenchNetwork> LcbenchNetwork::in(const std::filesystem::path& folder) {
  static std::mutex one_at_a_time;
  static std::map<std::string, std::shared_ptr<const LcbenchNetwork>> read;
  const std::scoped_lock lock(one_at_a_time);
  const auto file = folder / file_name;
  auto& known = read[file.string()];
  if (known) return known;
  const auto bytes = results::read_whole(file);
  if (!bytes)
    data::refuse_missing(file,
                         "the network lcbench of github.com/slds-lmu/yahpo_data (lcbench/model.onnx, Apache-2.0) goes "
                         "into the folder yahpo-lcbench below --data or data_dir");
  if (results::sha256(*bytes) != digest())
    throw Error({.exit = Exit::incomparable,
                 .code = "automl.lcbench",
                 .where = file.string(),
                 .problem = "has other bytes than the network of YAHPO Gym",
                 .allowed = std::string("SHA-256 ") + file_sha256,
                 .help = "take model.onnx of github.com/slds-lmu/yahpo_data, folder lcbench"});
  return known = std::make_shared<const LcbenchNetwork>(*bytes);
}

LcbenchNetwork::LcbenchNetwork(std::string_view bytes) {
  constexpr std::int64_t width = 128, hidden = 455;
  const auto all = onnx_initializers(bytes);
  embeddings_ = tensor(all, "embds_fct.0.weight", {36, embedding_width}).values;
  std::vector<Layer> layers;
  layers.emplace_back(all, "first_layer", embedding_width + input_scales.size(), width, "");
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::string name = "layers." + std::to_string(block);
    layers.emplace_back(all, name + ".linear0", width, 2 * hidden, name + ".norm");
    layers.emplace_back(all, name + ".linear1", hidden, width, "");
  }
  layers.emplace_back(all, "head", width, static_cast<std::int64_t>(outputs), "last_normalization");
  layers_ = std::make_shared<const std::vector<Layer>>(std::move(layers));
}

LcbenchNetwork::Output LcbenchNetwork::operator()(std::int64_t code, const Inputs& inputs) const {
  const auto row =
      embeddings_.begin() + static_cast<std::ptrdiff_t>(code) * static_cast<std::ptrdiff_t>(embedding_width);
  Vector x(row, row + static_cast<std::ptrdiff_t>(embedding_width));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& [log, shift, scale] = input_scales[i];
    x.push_back(((log ? std::log(inputs[i] + least) : inputs[i]) - shift) / scale);
  }
  const auto& layers = *layers_;
  x = layers.front().applied(x);
  for (std::size_t block = 0; block < blocks; ++block) {
    const Layer &wide = layers[1 + 2 * block], &narrow = layers[2 + 2 * block];
    const Vector both = wide.applied(wide.normed(x));
    const std::size_t half = both.size() / 2;
    Vector gated(half);
    for (std::size_t i = 0; i < half; ++i) gated[i] = both[i] * std::max(both[half + i], 0.0F);
    const Vector added = narrow.applied(gated);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += added[i];
  }
  const Vector last = layers.back().applied(clipped(layers.back().normed(x)));
  std::array<double, outputs> out{};
  for (std::size_t i = 0; i < outputs; ++i) {
    const auto& [log, scale, shift] = output_scales[i];
    const float value = 1.0F / (1.0F + std::exp(-last[i])) * scale + shift;
    out[i] = log ? std::exp(value) - least : value;
  }
  return {out[0], out[1], out[2], out[3], out[4], out[5]};
}

SurrogateProblem::SurrogateProblem(const LcbenchInstance& instance, std::shared_ptr<const LcbenchNetwork> network)
    : instance_(instance), network_(std::move(network)) {}

/// Walks start in the middle of the box, where the studies of this benchmark start them.
std::vector<Hyperparameter> SurrogateProblem::space(std::size_t) const {
  using Kind = Hyperparameter::Kind;
  return {{.name = "batch_size", .kind = Kind::log_integer, .low = 16, .high = 513, .init = 91},
          {.name = "learning_rate", .kind = Kind::log, .low = 1e-4, .high = 1e-1, .init = .0031622777},
          {.name = "max_dropout", .low = 0, .high = 1, .init = .5},
          {.name = "max_units", .kind = Kind::log_integer, .low = 64, .high = 1025, .init = 256},
          {.name = "momentum", .low = .1, .high = .99, .init = .545},
          {.name = "num_layers", .kind = Kind::integer, .low = 1, .high = 6, .init = 3},
          {.name = "weight_decay", .low = 1e-5, .high = 1e-1, .init = .050005}};
}

std::int64_t SurrogateProblem::full_fidelity() const {
  return epochs;
}

LcbenchNetwork::Output SurrogateProblem::trained(const Chosen& chosen, std::int64_t epoch) const {
  const auto whole_of = [&](const char* name) { return static_cast<float>(whole(chosen, name, 0)); };
  const auto number_of_key = [&](const char* name) { return static_cast<float>(number(chosen, name, 0)); };
  return (*network_)(instance_.code,
                     {static_cast<float>(std::clamp<std::int64_t>(epoch, 1, epochs)), whole_of("batch_size"),
                      number_of_key("learning_rate"), number_of_key("momentum"), number_of_key("weight_decay"),
                      whole_of("num_layers"), whole_of("max_units"), number_of_key("max_dropout")});
}

/// The predicted time is that of all epochs until then, nearly always longer for more epochs (four of 1,000 pairs of
/// neighbors is not): a training that goes on costs the difference.
std::int64_t SurrogateProblem::declared_cost(const Evaluation& evaluation) const {
  double seconds = trained(evaluation.configuration, evaluation.fidelity).time_s;
  if (evaluation.resumed_from > 0) seconds -= trained(evaluation.configuration, evaluation.resumed_from).time_s;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(1000 * seconds)));
}

Outcome SurrogateProblem::evaluate(const Evaluation& evaluation) const {
  return {.loss = 100 - trained(evaluation.configuration, evaluation.fidelity).val_accuracy,
          .cost = declared_cost(evaluation)};
}

}  // namespace retrial::automl::inline problems
