#include "workloads/pruning/trial/remarks.hpp"

#include "workloads/pruning/keys/keys.hpp"

namespace retrial::pruning::inline trial {

std::vector<std::string> remarks(const Values& values) {
  if (!is_script(values)) return {};
  const std::string use =
      integer_in(values, "epochs") == 0 ? "is used as its file has it" : "starts from the weights of its file";
  return {
      "the parent " + use + " in every pair: the source init does not reach it",
      "what a network from a file was trained on is unknown here: it may have seen the test rows",
      "multiplications of a network from a file are not counted; its biases stay when all weights of a row are gone"};
}

}  // namespace retrial::pruning::inline trial
