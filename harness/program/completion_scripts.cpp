#include "harness/program/completion.hpp"

namespace retrial::harness::inline program {
namespace {

// bash also splits words at '=' and ':', and replaces only the part after the last of them: the words are joined again
// for the program, and the prefix that bash keeps is removed from each answer.
constexpr const char* bash = R"script(# retrial completion for bash
_retrial() {
  local line=${COMP_LINE:0:COMP_POINT} current words=() reply=() keep word
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current=${words[${#words[@]}-1]}
  keep=${current%"${current##*[=:]}"}
  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    word=${word#"$keep"}
    [[ $word == */ || $word == *= ]] && compopt -o nospace 2>/dev/null
    COMPREPLY+=("$(printf %q "$word")")
  done < <("${words[0]}" --complete -- "${words[@]:1}" 2>/dev/null)
}
complete -F _retrial retrial
)script";

constexpr const char* zsh = R"script(#compdef retrial
# retrial completion for zsh
_retrial() {
  local word meaning
  local -a whole whole_shown open open_shown
  while IFS=$'\t' read -r word meaning; do
    if [[ $word == */ || $word == *= ]]; then
      open+=("$word"); open_shown+=("$word${meaning:+  -- $meaning}")
    else
      whole+=("$word"); whole_shown+=("$word${meaning:+  -- $meaning}")
    fi
  done < <("${words[1]}" --complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  (( $#whole )) && compadd -l -d whole_shown -a whole
  (( $#open )) && compadd -l -S '' -d open_shown -a open
  return 0
}
if [[ $funcstack[1] == _retrial ]]; then _retrial "$@"; else compdef _retrial retrial; fi
)script";

constexpr const char* fish = R"script(# retrial completion for fish
function __retrial_candidates
    set -l words (commandline -opc) (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    $program --complete -- $words 2>/dev/null
end
complete -c retrial -f -a '(__retrial_candidates)'
)script";

}  // namespace

const std::vector<CompletionScript>& completion_scripts() {
  static const std::vector<CompletionScript> scripts{
      {"bash", bash},
      {"zsh", zsh},
      {"fish", fish},
  };
  return scripts;
}

}  // namespace retrial::harness::inline program
