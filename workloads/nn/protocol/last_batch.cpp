#include "workloads/nn/protocol/last_batch.hpp"

namespace retrial::nn::inline protocol {

std::string last_batch_text(std::int64_t rows, std::int64_t smallest) {
  return "the last batch of " + std::to_string(rows) + " training rows has " + std::to_string(smallest);
}

std::string last_batch_problem(std::int64_t rows, std::int64_t smallest, const Outline& outline,
                               const std::string& network) {
  if (smallest != 1 || !norms_single_values(outline)) return "";
  return last_batch_text(rows, smallest) + ", and the maps of " + network +
         " end at 1x1: its batch norm needs more than one value";
}

}  // namespace retrial::nn::inline protocol
