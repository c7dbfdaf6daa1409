// Reference values of the specification of the pipeline workload (section 15.1), computed in C++ and in Python.
#include "workloads/data/sets/teacher4.hpp"

#include <algorithm>
#include <array>

#include "tests/catch.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::teacher4_tests {

using namespace retrial;
using data::Teacher4;

namespace {

std::span<const std::uint8_t> bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(float)};
}

std::vector<std::int64_t> counts(const Teacher4::Part& part) {
  std::vector<std::int64_t> made;
  for (std::uint8_t c = 0; c < Teacher4::classes; ++c)
    made.push_back(std::count(part.labels.begin(), part.labels.end(), c));
  return made;
}

std::vector<int> first_labels(const Teacher4::Part& part) {
  return {part.labels.begin(), part.labels.begin() + 8};
}

}  // namespace

TEST_CASE("teacher4 has the draws, inputs and labels of its definition") {
  const std::uint64_t table = variance::derive(0, "table");
  CHECK(table == 0x0ccf8aa5d0e706ec);
  CHECK(variance::derive(table, std::uint64_t{1}) == 0xf912ebdbfbaee671);
  CHECK(variance::normal(variance::block(0xf912ebdbfbaee671, 0, 0)[0]) == -0.5899404143263091);
  const Teacher4& task = data::teacher4();
  CHECK(task.train.inputs[0] == -1.24091971F);
  CHECK(task.train.inputs[1] == -0.832093298F);
  CHECK(task.train.inputs[2] == -1.21271038F);
  CHECK(first_labels(task.train) == std::vector<int>{2, 2, 0, 1, 3, 3, 1, 2});
  CHECK(first_labels(task.test) == std::vector<int>{3, 3, 2, 0, 1, 2, 3, 2});
  CHECK(counts(task.train) == std::vector<std::int64_t>{1711, 3084, 1748, 1649});
  CHECK(counts(task.test) == std::vector<std::int64_t>{377, 797, 448, 426});
}

TEST_CASE("teacher4 has its digests") {
  const Teacher4& task = data::teacher4();
  const auto start = [](const results::Digest& digest) { return results::hex(digest).substr(0, 16); };
  CHECK(start(results::sha256(bytes_of(task.train.inputs))) == "817f1940009c0ee2");
  CHECK(start(results::sha256(bytes_of(task.test.inputs))) == "01389a4414fe0bf0");
  CHECK(start(results::sha256(std::span<const std::uint8_t>(task.train.labels))) == "71da9d6350ab9e43");
  CHECK(start(results::sha256(std::span<const std::uint8_t>(task.test.labels))) == "d7ed4e8e5463638e");
  results::Sha256 all;
  for (const Teacher4::Part* part : {&task.train, &task.test}) {
    all.update(bytes_of(part->inputs));
    all.update(std::span<const std::uint8_t>(part->labels));
  }
  CHECK(all.finish() == data::teacher4_identity());
}

}  // namespace retrial::tests::teacher4_tests
