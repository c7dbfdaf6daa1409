# For the tests of what is installed.

function(step)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${SCRATCH} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(step_says text)
  step(${ARGN})
  if(NOT output MATCHES "${text}")
    message(FATAL_ERROR "${ARGN} does not say \"${text}\":\n${output}")
  endif()
endfunction()

# The includes of installed headers are installed too.
function(headers_are_complete folder)
  file(GLOB_RECURSE headers ${folder}/*.hpp ${folder}/*.cuh)
  foreach(header IN LISTS headers)
    file(STRINGS ${header} includes REGEX "^#include \"")
    foreach(line IN LISTS includes)
      string(REGEX REPLACE "^#include \"(.*)\".*" "\\1" included "${line}")
      if(NOT EXISTS ${folder}/${included})
        message(FATAL_ERROR "${header} includes ${included}, which was not installed")
      endif()
    endforeach()
  endforeach()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})
