# cmake -DCOMPILER= -DFLAGS= -DSOURCE_DIR= -DPROGRAM= -P: compiles the known answers with the generator and runs
# them. FLAGS come after -ffp-contract=off, so that a negative control can undo it.
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
get_filename_component(folder ${PROGRAM} DIRECTORY)
file(MAKE_DIRECTORY ${folder})
execute_process(
  COMMAND ${COMPILER} -std=c++20 -ffp-contract=off ${flags} -I${SOURCE_DIR}
    ${SOURCE_DIR}/tests/variance/reproduce/known_answers_main.cpp ${SOURCE_DIR}/variance/random/rng.cpp -o ${PROGRAM}
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${COMPILER} ${FLAGS}: does not compile")
endif()
execute_process(COMMAND ${PROGRAM} RESULT_VARIABLE failed)
file(REMOVE ${PROGRAM})
if(failed)
  message(FATAL_ERROR "${COMPILER} ${FLAGS}: a known answer is wrong")
endif()
