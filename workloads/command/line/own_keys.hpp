#pragma once

#include "workloads/interface/declaration.hpp"

namespace retrial::workloads::command::inline line {

/// Keys of the user's own, by their names in braces in `command`, `read_json` and `read_file`: {lr}. A value is put
/// into the text of these keys before anything is planned: in `command` as part of one word, quoted as the place needs
/// it, in the names of files as it is. In single quotes, where a shell would expand nothing either, a name that the
/// study does not give stays (awk '{print}'). A value with a placeholder of its own is refused.
[[nodiscard]] OwnKeys own_keys();

}  // namespace retrial::workloads::command::inline line
