#include "workloads/pruning/published/lost_in_pruning.hpp"

#include "workloads/published/read.hpp"

namespace retrial::published {
extern const std::string_view lost_in_pruning_json;  // generated (workloads/CMakeLists.txt)
}

namespace retrial::pruning {

published::Table lost_in_pruning() {
  return published::read_table(published::lost_in_pruning_json);
}

}  // namespace retrial::pruning
