// Which GPUs may be used, by the rules of CUDA_VISIBLE_DEVICES (CUDA C++ programming guide, environment variables) and
// the device files of the driver.
#include "harness/system/gpus.hpp"

#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::gpus_tests {

using harness::visible_gpus;
using Names = std::vector<std::string>;

TEST_CASE("the variable names the GPUs, up to the first that hides the rest") {
  CHECK(visible_gpus("0") == Names{"0"});
  CHECK(visible_gpus("4,7") == Names{"4", "7"});
  CHECK(visible_gpus("GPU-1a,MIG-2b") == Names{"GPU-1a", "MIG-2b"});
  CHECK(visible_gpus("").empty());
  CHECK(visible_gpus("-1").empty());
  CHECK(visible_gpus("2,-1,3") == Names{"2"});
}

TEST_CASE("without the variable, each device file of the driver is a GPU") {
  const Folder root;
  CHECK(visible_gpus(std::nullopt, root.path).empty());
  std::filesystem::create_directories(root.path / "dev" / "nvidia-caps");
  for (const char* name : {"nvidiactl", "nvidia-uvm", "nvidia", "null"}) std::ofstream(root.path / "dev" / name) << "";
  CHECK(visible_gpus(std::nullopt, root.path).empty());
  for (const char* name : {"nvidia0", "nvidia11"}) std::ofstream(root.path / "dev" / name) << "";
  CHECK(visible_gpus(std::nullopt, root.path) == Names{"0", "1"});
  CHECK(visible_gpus("5", root.path) == Names{"5"});
}

}  // namespace retrial::tests::gpus_tests
