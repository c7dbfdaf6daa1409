#include "workloads/command/trial/flags.hpp"

namespace retrial::workloads::command::inline trial {

std::vector<Flag> flags() {
  return {
      {.name = "command",
       .value_name = "NAME=CMD",
       .meaning = "command to run as a trial; {seed} in it is substituted. Repeat it to compare two",
       .repeats = true,
       .key = "command",
       .names_variant = true},
      {.name = "read",
       .value_name = "NAME",
       .meaning = "metric to read from the program's output: the last number after NAME; or NAME:higher, NAME:lower, "
                  "NAME~REGEX",
       .repeats = true,
       .key = "read"},
      {.name = "read-curve",
       .value_name = "NAME",
       .meaning = "metric of which every value is kept as a learning curve; the last one is judged like that of --read",
       .repeats = true,
       .key = "read_curve"},
      {.name = "read-json",
       .value_name = "FILE",
       .meaning = "read metrics from a JSON file, or with - from the JSON lines of the output; --read names the keys",
       .key = "read_json"},
      {.name = "higher",
       .value_name = "",
       .meaning = "higher is better for the metric read first",
       .key = "direction",
       .value = "higher"},
      {.name = "lower",
       .value_name = "",
       .meaning = "lower is better for the metric read first",
       .key = "direction",
       .value = "lower"},
      {.name = "shell", .value_name = "", .meaning = "run the commands through /bin/sh", .key = "shell"},
      {.name = "env-seed",
       .value_name = "[NAME,...]",
       .meaning =
           "the program reads its seed from TRIAL_SEED in its environment; of other sources, from TRIAL_SEED_NAME",
       .key = "env_seeds",
       .value = "seed"},
      {.name = "digest",
       .value_name = "GLOB",
       .meaning = "files under {out} whose SHA-256 is stored and must repeat",
       .repeats = true,
       .key = "digest"},
      {.name = "input",
       .value_name = "FILE",
       .meaning = "a file the program depends on; its SHA-256 belongs to the trial's identity",
       .repeats = true,
       .key = "inputs"},
      {.name = "keep-out",
       .value_name = "",
       .meaning = "keep {out} of every trial next to the store",
       .key = "keep_out"},
      {.name = "workdir", .value_name = "DIR", .meaning = "folder the programs are started in", .key = "workdir"},
  };
}

}  // namespace retrial::workloads::command::inline trial
