#include "workloads/command/reading/json_file.hpp"

#include "workloads/command/reading/json_reading.hpp"
#include "workloads/interface/trial.hpp"

namespace retrial::workloads::command::inline reading {

Json JsonFile::read() const {
  auto object = json_object(file_.text());
  if (!object) throw TrialFailure("command.bad_json", file_.found().string() + ": not a JSON object");
  return *object;
}

}  // namespace retrial::workloads::command::inline reading
