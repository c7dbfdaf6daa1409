#include "workloads/pruning/network/network.hpp"

#include <string_view>

#include "workloads/nn/shape/closed_form.hpp"
#include "workloads/nn/shape/residual_tensors.hpp"
#include "workloads/pruning/network/channel_graph.hpp"

namespace retrial::pruning::inline network {
namespace {

using nn::Residual, nn::Unit;

/// Follows a forward pass and records its layers.
class Walk {
 public:
  explicit Walk(const data::Shape& input)
      : height_(input.height), width_(input.width), pixels_(graph_.add(input.channels, false)) {}

  [[nodiscard]] int pixels() const { return pixels_; }
  [[nodiscard]] std::int64_t area() const { return height_ * width_; }
  void halve() {
    height_ = nn::halved(height_);
    width_ = nn::halved(width_);
  }

  int conv(const std::string& name, int in, std::int64_t out, std::int64_t kernel, std::int64_t positions) {
    return layer(name, in, 1, graph_.add(out), kernel * kernel, positions);
  }
  int linear(const std::string& name, int in, std::int64_t repeat, std::int64_t out) {
    return layer(name, in, repeat, graph_.add(out), 1, 1);
  }
  void classify(int in, std::int64_t repeat, std::int64_t classes) {
    layer("classifier", in, repeat, graph_.add(classes, false), 1, 1);
  }
  void norm(const std::string& name, int node) { norms_.push_back({name, node}); }
  void couple(int wide, int narrow, std::int64_t shift = 0) { graph_.couple(wide, narrow, shift); }

  [[nodiscard]] Network network(std::int64_t parameters) const {
    Network found{.layers = {}, .norms = {}, .groups = graph_.groups(), .parameters = parameters};
    for (const Step& step : steps_)
      found.layers.push_back({.name = step.name,
                              .out = graph_.channels(step.out),
                              .in = graph_.channels(step.in, step.repeat),
                              .taps = step.taps,
                              .positions = step.positions});
    for (const auto& [name, node] : norms_) found.norms.push_back({name, graph_.channels(node)});
    return found;
  }

 private:
  struct Step {
    std::string name;
    int in, out;
    std::int64_t repeat, taps, positions;
  };
  int layer(const std::string& name, int in, std::int64_t repeat, int out, std::int64_t taps, std::int64_t positions) {
    steps_.push_back({.name = name, .in = in, .out = out, .repeat = repeat, .taps = taps, .positions = positions});
    return out;
  }

  ChannelGraph graph_;
  std::int64_t height_, width_;
  int pixels_;
  std::vector<Step> steps_;
  std::vector<std::pair<std::string, int>> norms_;
};

void walk_mlp(Walk& walk, const nn::Architecture& architecture, int classes) {
  int x = walk.pixels();
  std::int64_t repeat = walk.area(), number = 0;
  for (const std::int64_t width : architecture.widths) {
    x = walk.linear("fc" + std::to_string(++number), x, repeat, width);
    repeat = 1;
  }
  walk.classify(x, repeat, classes);
}

void walk_cnn(Walk& walk, const nn::Architecture& architecture, int classes) {
  const std::int64_t w = architecture.widths[0];
  int x = walk.pixels();
  const auto stage = [&](const std::string& number, std::int64_t out) {
    x = walk.conv("conv" + number, x, out, 3, walk.area());
    walk.norm("bn" + number, x);
  };
  stage("1", w);
  stage("2", 2 * w);
  walk.halve();
  stage("3", 2 * w);
  walk.halve();
  walk.classify(x, walk.area(), classes);
}

/// The shortcut of a block: the 1x1 convolution of x, x itself, or x between zero channels.
void join_shortcut(Walk& walk, const Unit& unit, bool wide, int x, int sum) {
  if (unit.projects) {
    const int shortcut = walk.conv(unit.name + ".shortcut", x, unit.out, 1, walk.area());
    if (!wide) walk.norm(unit.name + ".shortcut_bn", shortcut);
    walk.couple(sum, shortcut);
  } else {
    walk.couple(sum, x, (unit.out - unit.in) / 2);
  }
}

int walk_closed(Walk& walk, const Residual& net, const Unit& unit, int x) {
  const std::int64_t before = walk.area();
  if (unit.stride == 2) walk.halve();
  const bool bottleneck = net.block == Residual::Block::bottleneck;
  int y = walk.conv(unit.name + ".conv1", x, unit.width, bottleneck ? 1 : 3, bottleneck ? before : walk.area());
  walk.norm(unit.name + ".bn1", y);
  y = walk.conv(unit.name + ".conv2", y, bottleneck ? unit.width : unit.out, 3, walk.area());
  walk.norm(unit.name + ".bn2", y);
  if (bottleneck) {
    y = walk.conv(unit.name + ".conv3", y, unit.out, 1, walk.area());
    walk.norm(unit.name + ".bn3", y);
  }
  join_shortcut(walk, unit, false, x, y);
  return y;
}

int walk_wide(Walk& walk, const Unit& unit, int x) {
  if (unit.stride == 2) walk.halve();
  walk.norm(unit.name + ".bn1", x);
  const int inner = walk.conv(unit.name + ".conv1", x, unit.width, 3, walk.area());
  walk.norm(unit.name + ".bn2", inner);
  const int y = walk.conv(unit.name + ".conv2", inner, unit.out, 3, walk.area());
  join_shortcut(walk, unit, true, x, y);
  return y;
}

void walk_residual(Walk& walk, const nn::Architecture& architecture, const data::Shape& input, int classes) {
  const Residual& net = *architecture.residual;
  const bool wide = net.block == Residual::Block::wide;
  int x = walk.conv("conv1", walk.pixels(), net.stem, 3, walk.area());
  if (!wide) walk.norm("bn1", x);
  for (const Unit& unit : nn::units_of(net)) x = wide ? walk_wide(walk, unit, x) : walk_closed(walk, net, unit, x);
  if (wide) walk.norm("bn", x);
  walk.classify(x, nn::residual_features(architecture, input) / net.out(net.widths.size() - 1), classes);
}

/// Parameters NAME.weight of two or more dimensions are weights, (out, in, taps...), in the order of the file. How they
/// are connected is not known: every one has channels of its own, which are never removed.
Network script_network(const nn::Architecture& architecture) {
  Network found;
  const auto channels = [&](std::int64_t count) {
    found.groups.push_back({.size = count, .removable = false});
    return Channels{.group = static_cast<int>(found.groups.size()) - 1, .count = count};
  };
  for (const nn::TensorSpec& tensor : nn::tensors_of(architecture, {}, 0)) {
    if (!tensor.trained) continue;
    found.parameters += tensor.elements();
    constexpr std::string_view suffix = ".weight";
    if (tensor.sizes.size() < 2 || tensor.elements() == 0 || !tensor.name.ends_with(suffix)) continue;
    const std::int64_t out = tensor.sizes[0], in = tensor.sizes[1];
    found.layers.push_back({.name = tensor.name.substr(0, tensor.name.size() - suffix.size()),
                            .out = channels(out),
                            .in = channels(in),
                            .taps = tensor.elements() / (out * in)});
  }
  return found;
}

}  // namespace

std::int64_t Network::weights() const {
  std::int64_t sum = 0;
  for (const Layer& layer : layers) sum += layer.weights();
  return sum;
}

std::string Network::writer_of(std::size_t group) const {
  for (const Layer& layer : layers)
    if (static_cast<std::size_t>(layer.out.group) == group) return layer.name;
  return "";
}

Network network_of(const nn::Architecture& architecture, const data::Shape& input, int classes) {
  if (architecture.family == nn::Family::script) return script_network(architecture);
  const nn::Identity identity = nn::closed_form(architecture, input, classes);
  (void)nn::tensors_of(architecture, input, classes);  // throws for images that do not fit
  Walk walk(input);
  switch (architecture.family) {
    case nn::Family::mlp:
      walk_mlp(walk, architecture, classes);
      break;
    case nn::Family::cnn:
      walk_cnn(walk, architecture, classes);
      break;
    case nn::Family::residual:
      walk_residual(walk, architecture, input, classes);
      break;
    case nn::Family::script:
      break;  // walked above
  }
  return walk.network(identity.parameters);
}

}  // namespace retrial::pruning::inline network
