# Manual pages and completion scripts, printed by the program, as files for an installation.
#   cmake -DRETRIAL=path/to/retrial -DSHARE=folder -P cmake/share.cmake
cmake_minimum_required(VERSION 3.25)
set(pages "man:man1/retrial.1" "man-study:man5/retrial-study.5")
execute_process(COMMAND ${RETRIAL} --complete -- "" OUTPUT_VARIABLE words COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\t[^\n]*\n" ";" commands "${words}")
list(REMOVE_ITEM commands "")
foreach(command IN LISTS commands)
  list(APPEND pages "man ${command}:man1/retrial-${command}.1")
endforeach()
foreach(page IN LISTS pages)
  string(REGEX MATCH "^([^:]*):(.*)$" _ "${page}")
  separate_arguments(what UNIX_COMMAND "${CMAKE_MATCH_1}")
  get_filename_component(folder ${SHARE}/man/${CMAKE_MATCH_2} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND ${RETRIAL} --generate ${what} OUTPUT_FILE ${SHARE}/man/${CMAKE_MATCH_2}
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
foreach(script "bash:bash-completion/completions/retrial" "zsh:zsh/vendor-completions/_retrial"
        "fish:fish/vendor_completions.d/retrial.fish")
  string(REGEX MATCH "^([^:]*):(.*)$" _ "${script}")
  get_filename_component(folder ${SHARE}/${CMAKE_MATCH_2} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND ${RETRIAL} --generate ${CMAKE_MATCH_1} OUTPUT_FILE ${SHARE}/${CMAKE_MATCH_2}
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
