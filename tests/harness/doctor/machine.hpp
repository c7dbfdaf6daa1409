#pragma once

#include "harness/doctor/findings.hpp"

namespace retrial::fixture {

/// A machine with both programs, of which nothing was found out that some machines do not tell.
inline harness::HostFacts machine() {
  return {.worker = "/opt/retrial-worker",
          .worker_build = "feed",
          .worker_found = true,
          .worker_has_torch = true,
          .cpus = 4,
          .isas = {"default", "avx2"},
          .folder = "/data",
          .file_system = "ext4"};
}

}  // namespace retrial::fixture
