# find_package(retrial-gate), then for each Google Benchmark program of yours:
#
#   retrial_add_gate(TARGET bench [BASELINE program] [NAME gate_bench] [COUNT instructions] [PAIRS 10]
#                    [ARGUMENTS argument...] [OPTIONS option...])
#
# adds a test that ends with the exit code of `retrial gate`: the target against the program BASELINE, each of their
# benchmarks in processes of its own, in turns. Without BASELINE it is the program of the same name in the folder
# RETRIAL_GATE_BASELINE, the build folder of the commit before; without that folder the test is shown as disabled.
# ARGUMENTS go to both programs, OPTIONS to retrial gate.
get_filename_component(retrial_gate_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_program(RETRIAL_PROGRAM retrial HINTS ${retrial_gate_prefix}/bin)
if(NOT RETRIAL_PROGRAM)
  set(retrial-gate_FOUND FALSE)
  set(retrial-gate_NOT_FOUND_MESSAGE "the program retrial is not in ${retrial_gate_prefix}/bin and not in PATH; RETRIAL_PROGRAM names it")
  return()
endif()
set(RETRIAL_GATE_BASELINE "" CACHE PATH "build folder of the commit that retrial_add_gate compares with")

function(retrial_add_gate)
  cmake_parse_arguments(PARSE_ARGV 0 gate "" "TARGET;BASELINE;NAME;COUNT;PAIRS" "ARGUMENTS;OPTIONS")
  if(gate_UNPARSED_ARGUMENTS OR gate_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "retrial_add_gate: not understood: ${gate_UNPARSED_ARGUMENTS} ${gate_KEYWORDS_MISSING_VALUES}; "
      "allowed: TARGET, BASELINE, NAME, COUNT, PAIRS, ARGUMENTS, OPTIONS, each with a value")
  endif()
  if(NOT TARGET "${gate_TARGET}")
    message(FATAL_ERROR "retrial_add_gate: TARGET = ${gate_TARGET}: no such target")
  endif()
  get_target_property(kind ${gate_TARGET} TYPE)
  if(NOT kind STREQUAL EXECUTABLE)
    message(FATAL_ERROR "retrial_add_gate: TARGET = ${gate_TARGET}: is a ${kind}, and a gate runs a program")
  endif()
  if(NOT gate_NAME)
    set(gate_NAME gate_${gate_TARGET})
  endif()
  set(baseline "${gate_BASELINE}")
  if(NOT baseline AND RETRIAL_GATE_BASELINE)
    set(baseline "${RETRIAL_GATE_BASELINE}/$<TARGET_FILE_NAME:${gate_TARGET}>")
  endif()
  # A command is split into words as a shell would.
  set(arguments "")
  foreach(argument IN LISTS gate_ARGUMENTS)
    string(APPEND arguments " '${argument}'")
  endforeach()
  set(options ${gate_OPTIONS})
  if(gate_COUNT)
    list(PREPEND options --count ${gate_COUNT})
  endif()
  if(gate_PAIRS)
    list(PREPEND options --pairs ${gate_PAIRS})
  endif()
  # --again: after a change of the program the runs before it are another question.
  add_test(NAME ${gate_NAME}
    COMMAND ${RETRIAL_PROGRAM} gate --each-benchmark --again --db ${CMAKE_CURRENT_BINARY_DIR}/${gate_NAME}.db
      --command "base='${baseline}'${arguments}" --command "head='$<TARGET_FILE:${gate_TARGET}>'${arguments}" ${options})
  # Nothing else runs beside a measurement.
  set_tests_properties(${gate_NAME} PROPERTIES RUN_SERIAL TRUE LABELS gate)
  if(NOT baseline)
    message(STATUS "${gate_NAME} is disabled: no BASELINE, and RETRIAL_GATE_BASELINE names no build folder of the commit before")
    set_tests_properties(${gate_NAME} PROPERTIES DISABLED TRUE)
  endif()
endfunction()
