// What a TorchScript file must be to take part, and that its network is what it says.
#include "tests/workloads/nn/script/script_torch.hpp"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/api/module.h>

#include <sstream>

#include "results/digest/sha256.hpp"
#include "tests/catch.hpp"
#include "workloads/interface/script_name.hpp"
#include "workloads/nn/script/module_torch.hpp"
#include "workloads/nn/script/read_torch.hpp"

namespace retrial::test {
namespace {

/// Modules by their names, in the order of their first tensors; "" is the network.
using Parts = std::vector<std::pair<std::string, torch::jit::Module>>;

torch::jit::Module& part_of(Parts& parts, const std::string& name) {
  for (auto& [known, part] : parts)
    if (known == name) return part;
  return parts.emplace_back(name, torch::jit::Module("Part_" + name)).second;
}

void add_tensor(Parts& parts, const std::string& path, const at::Tensor& tensor, bool buffer) {
  const auto dot = path.rfind('.');
  const bool inner = dot != std::string::npos;
  part_of(parts, inner ? path.substr(0, dot) : "")
      .register_parameter(inner ? path.substr(dot + 1) : path, tensor, buffer);
}

}  // namespace

std::string script_bytes(const nn::NamedTensors& parameters, const nn::NamedTensors& buffers,
                         const std::string& source) {
  Parts parts;
  for (const auto& [name, tensor] : parameters)
    add_tensor(parts, name, tensor.detach().clone().requires_grad_(true), false);
  for (const auto& [name, tensor] : buffers) add_tensor(parts, name, tensor.detach().clone(), true);
  torch::jit::Module net = part_of(parts, "");
  for (const auto& [name, part] : parts)
    if (!name.empty()) net.register_module(name, part);
  net.register_attribute("training", c10::BoolType::get(), true);
  net.define(source);
  std::ostringstream bytes;
  net.save(bytes);
  return bytes.str();
}

std::string scripted(const nn::Model& mlp) {
  std::string source = "def forward(self, x):\n  x = torch.flatten(x, 1)\n";
  for (std::size_t i = 1; 2 * i < mlp.parameters().size(); ++i) {
    const std::string layer = "self.fc" + std::to_string(i);
    source += "  x = torch.relu(torch.linear(x, " + layer + ".weight, " + layer + ".bias))\n";
  }
  return script_bytes(mlp.parameters(), {},
                      source + "  return torch.linear(x, self.classifier.weight, self.classifier.bias)\n");
}

ScriptedPlace::ScriptedPlace(const std::string& bytes) {
  folder.write("net.pt", bytes);
  const std::string digest = results::hex(results::sha256(bytes));
  name = workloads::script_name(digest);
  place.scripts[digest] = folder.path() / "net.pt";
}

}  // namespace retrial::test

namespace retrial::nn_script_tests {
using test::script_bytes, test::ScriptedPlace;

namespace {

const data::Shape digit{1, 8, 8};

std::unique_ptr<nn::Model> mlp(const std::string& name = "mlp:32") {
  return nn::make(nn::parse_architecture(name, "student"), digit, 10, 7);
}

at::Tensor images() {
  return at::arange(5 * 64, at::kFloat).reshape({5, 1, 8, 8}) / 100;
}

nn::Architecture read(const ScriptedPlace& file, bool trains = true) {
  return nn::with_script(nn::parse_architecture(file.name, "student"), file.place, digit, 10, trains);
}

/// "KIND: MESSAGE" of the failure of such a file.
std::string failure_of(const std::string& bytes) try {
  (void)read(ScriptedPlace(bytes));
  return "";
} catch (const workloads::TrialFailure& failure) {
  CHECK_THAT(failure.what(), has_text("net.pt"));
  CHECK(std::string(failure.what()).find('\n') == std::string::npos);
  return failure.kind + ": " + failure.what();
}

std::string linear(const std::string& rest, const nn::NamedTensors& buffers = {}) {
  return script_bytes({{"fc.weight", at::ones({10, 64})}}, buffers,
                      "def forward(self, x):\n  w = self.fc.weight\n" + rest);
}

}  // namespace

TEST_CASE("a scripted copy of a perceptron has its logits, its names and its size") {
  const auto ours = mlp();
  const ScriptedPlace file(test::scripted(*ours));
  const auto theirs = nn::make(read(file), digit, 10, 0);
  CHECK(at::equal(theirs->forward(images(), {}).logits, ours->forward(images(), {}).logits));
  CHECK(theirs->digest() == ours->digest());
  CHECK(theirs->identity().parameters == 64 * 32 + 32 + 32 * 10 + 10);
  CHECK(theirs->identity().name == file.name);
  REQUIRE(theirs->parameters().size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(theirs->parameters()[i].first == ours->parameters()[i].first);
}

TEST_CASE("a copy of a scripted network has weights of its own") {
  const ScriptedPlace file(test::scripted(*mlp()));
  const auto architecture = read(file);
  const auto first = nn::make(architecture, digit, 10, 0);
  const at::NoGradGuard no_gradient;
  first->parameters().back().second.fill_(3);
  const auto copy = nn::copied(architecture, *first);
  CHECK(copy->digest() == first->digest());
  CHECK(at::equal(copy->forward(images(), {}).logits, first->forward(images(), {}).logits));
  first->parameters().front().second.zero_();
  CHECK(copy->digest() != first->digest());
  CHECK_FALSE(at::equal(copy->forward(images(), {}).logits, first->forward(images(), {}).logits));
}

TEST_CASE("training and evaluation mode reach a script, and so do its statistics") {
  const ScriptedPlace file(
      linear("  y = torch.linear(torch.flatten(x, 1), w)\n"
             "  return torch.batch_norm(y, None, None, self.mean, self.var, self.training, 0.1, 1e-5, False)\n",
             {{"mean", at::zeros({10})}, {"var", at::ones({10})}, {"seen", at::zeros({}, at::kLong)}}));
  const auto net = nn::make(read(file), digit, 10, 0);
  REQUIRE(net->buffers().size() == 3);
  const auto before = net->digest();
  const at::Tensor evaluated = net->forward(images(), {}).logits;
  CHECK(net->digest() == before);
  const at::Tensor trained = net->forward(images(), {.training = true, .dropout = {}}).logits;
  CHECK(net->digest() != before);
  CHECK_FALSE(at::equal(evaluated, trained));
}

TEST_CASE("bytes that are no TorchScript are refused") {
  CHECK_THAT(failure_of(""), has_text("script.not_torchscript: net.pt (SHA-256 "));
  CHECK_THAT(failure_of("not a network"), has_text("is no TorchScript file: "));
  const std::string whole = test::scripted(*mlp());
  CHECK_THAT(failure_of(whole.substr(0, whole.size() / 2)), has_text("script.not_torchscript: "));
  CHECK_THAT(failure_of(script_bytes({}, {}, "def other(self, x):\n  return x\n")), has_text("has no method forward"));
}

TEST_CASE("an output of another form is refused, with both forms") {
  CHECK_THAT(failure_of(linear("  return torch.flatten(x, 1)\n")), has_text("script.output: net.pt (SHA-256 "));
  CHECK_THAT(failure_of(linear("  return torch.flatten(x, 1)\n")), has_text("returns (2, 64) for images (2, 1, 8, 8); "
                                                                            "expected is (2, 10)"));
  CHECK_THAT(failure_of(linear("  return x, w\n")), has_text("returns Tuple; expected is one float32 tensor"));
  CHECK_THAT(failure_of(linear("  return torch.linear(torch.flatten(x, 1), w).double()\n")),
             has_text("returns Tensor of another type than float32"));
}

TEST_CASE("an error inside of forward is one line that names the file") {
  CHECK_THAT(failure_of(linear("  return torch.linear(x, w)\n")), has_text("script.failed: net.pt (SHA-256 "));
  CHECK_THAT(
      failure_of(linear("  assert bool(x.sum() > 1), 'no light'\n  return torch.linear(torch.flatten(x, 1), w)\n")),
      has_text("no light"));
}

TEST_CASE("a script that draws random numbers is refused, in either mode") {
  const std::string tail = "  return torch.linear(torch.flatten(x, 1), w)\n";
  CHECK_THAT(failure_of(linear("  x = torch.dropout(x, 0.5, self.training)\n" + tail)),
             has_text("script.draws: net.pt (SHA-256 "));
  CHECK_THAT(failure_of(linear("  if not self.training:\n    x = x + torch.rand_like(x)\n" + tail)),
             has_text("which no seed of a trial controls"));
  CHECK(failure_of(linear("  x = torch.dropout(x, 0.0, False)\n" + tail)).empty());
}

TEST_CASE("a script that draws later than at its first passes is caught then") {
  const ScriptedPlace file(
      linear("  if bool(x.sum() > 1):\n    x = x + torch.rand_like(x)\n"
             "  return torch.linear(torch.flatten(x, 1), w)\n"));
  const auto net = nn::make(read(file), digit, 10, 0);
  CHECK_NOTHROW(net->forward(at::zeros({1, 1, 8, 8}), {}));
  CHECK_THROWS_AS(net->forward(images(), {}), workloads::TrialFailure);
}

TEST_CASE("a script that writes into its input, or into an attribute, is refused") {
  CHECK_THAT(failure_of(linear("  x.add_(1)\n  return torch.linear(torch.flatten(x, 1), w)\n")),
             has_text("script.changes_input: "));
  CHECK_THAT(failure_of(linear("  if True:\n    self.seen = self.seen + 1\n"
                               "  return torch.linear(torch.flatten(x, 1), w)\n",
                               {{"seen", at::zeros({1})}})),
             has_text("script.keeps_state: "));
}

TEST_CASE("tensors that cannot be trained and kept are refused by name") {
  const std::string source = "def forward(self, x):\n  return torch.linear(torch.flatten(x, 1), self.a.float())\n";
  CHECK_THAT(failure_of(script_bytes({{"a", at::ones({10, 64}, at::kDouble)}}, {}, source)),
             has_text("script.tensors: net.pt"));
  CHECK_THAT(failure_of(script_bytes({}, {{"a", at::ones({10, 64})}}, source)), has_text("script.no_gradient: "));
  const ScriptedPlace constant(script_bytes({}, {{"a", at::ones({10, 64})}}, source));
  CHECK_NOTHROW(read(constant, false));  // a teacher that is used as it is
}

TEST_CASE("two tensors of one memory are refused, and a transposed one is put in order") {
  torch::jit::Module shared("Net");
  const at::Tensor weight = at::ones({10, 64}).requires_grad_(true);
  shared.register_parameter("a", weight, false);
  shared.register_parameter("b", weight, false);
  shared.define("def forward(self, x):\n  return torch.linear(torch.flatten(x, 1), self.a + self.b)\n");
  std::ostringstream bytes;
  shared.save(bytes);
  CHECK_THAT(failure_of(bytes.str()), has_text("the tensor b shares its memory with another tensor"));
  const at::Tensor turned = at::arange(640, at::kFloat).reshape({64, 10}).t();
  const ScriptedPlace file(
      script_bytes({{"a", turned}}, {}, "def forward(self, x):\n  return torch.linear(torch.flatten(x, 1), self.a)\n"));
  const auto net = nn::make(read(file), digit, 10, 0);
  CHECK(net->parameters().front().second.is_contiguous());
  CHECK(at::equal(net->parameters().front().second, turned));
  CHECK(at::equal(net->forward(images(), {}).logits, at::linear(images().flatten(1), turned.contiguous())));
}

TEST_CASE("a file that changed since the plan, or that nobody allowed, is not run") {
  const std::string bytes = test::scripted(*mlp());
  ScriptedPlace file(bytes);
  file.folder.write("net.pt", test::scripted(*mlp("mlp:16")));
  const auto kind = [&] {
    try {
      (void)read(file);
      return std::string();
    } catch (const workloads::TrialFailure& failure) {
      return failure.kind;
    }
  };
  CHECK(kind() == "script.digest_mismatch");
  file.folder.write("net.pt", bytes);
  CHECK(kind().empty());
  std::filesystem::remove(file.folder.path() / "net.pt");
  CHECK(kind() == "script.unreadable");
  file.place.scripts.clear();
  CHECK(kind() == "script.not_allowed");
}

TEST_CASE("scripts run without profiling, optimizer and fusers, and draw nothing from the global generator") {
  const at::Tensor before = at::globalContext().defaultGenerator(at::kCPU).get_state();
  const ScriptedPlace file(test::scripted(*mlp()));
  const auto net = nn::make(read(file), digit, 10, 0);
  for (const auto& [name, on] : nn::script_switches()) {
    INFO(name);
    CHECK_FALSE(on);
  }
  CHECK(at::equal(before, at::globalContext().defaultGenerator(at::kCPU).get_state()));
}

}  // namespace retrial::nn_script_tests
