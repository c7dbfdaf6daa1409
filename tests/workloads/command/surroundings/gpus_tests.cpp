#include "workloads/command/surroundings/gpus.hpp"

#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"

namespace retrial::tests::gpus_tests {

using namespace retrial;
using namespace retrial::workloads::command;

TEST_CASE("cards and driver are read from the files of the NVIDIA driver; without them nothing is claimed") {
  const test::Folder folder;
  CHECK(gpu_facts(folder.path()) == Json::object());
  // The form of the file is that of driver 535.
  for (const char* bus : {"0000:01:00.0", "0000:02:00.0"})
    folder.write(std::string("proc/driver/nvidia/gpus/") + bus + "/information",
                 "Model: \t\t NVIDIA H200\nIRQ:   \t\t 16\nGPU UUID: \t GPU-1\n");
  folder.write("sys/module/nvidia/version", "535.129.03\n");
  CHECK(gpu_facts(folder.path()) == Json{{"gpus", "NVIDIA H200, NVIDIA H200"}, {"gpu_driver", "NVIDIA 535.129.03"}});
}

}  // namespace retrial::tests::gpus_tests
