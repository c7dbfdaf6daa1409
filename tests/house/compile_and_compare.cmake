# cmake -DCOMPILER= -DLAUNCHER= -DFLAGS= -DSOURCE_DIR= -DSOURCES= -DKEPT= -DFOLDER= -P: compiles the sources (globs below
# SOURCE_DIR, a list) as one file to one program and has it compare its text with the kept one.
# Functions that are not called are dropped with their callees: the sources need not be closed under calls.
separate_arguments(flags UNIX_COMMAND "${FLAGS} -ffunction-sections")
string(REPLACE "," ";" globs "${SOURCES}")
list(TRANSFORM globs PREPEND ${SOURCE_DIR}/)
file(MAKE_DIRECTORY ${FOLDER})
file(GLOB_RECURSE sources ${globs})
list(TRANSFORM sources REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE lines)
file(WRITE ${FOLDER}/all.cpp ${lines})
execute_process(
  COMMAND ${LAUNCHER} ${COMPILER} -std=c++20 -ffp-contract=off ${flags} -I${SOURCE_DIR} -c ${FOLDER}/all.cpp -o ${FOLDER}/all.o
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${COMPILER} ${FLAGS}: does not compile")
endif()
execute_process(COMMAND ${COMPILER} -Wl,--gc-sections ${FOLDER}/all.o -o ${FOLDER}/compared RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${COMPILER} ${FLAGS}: does not link")
endif()
execute_process(COMMAND ${FOLDER}/compared ${SOURCE_DIR}/${KEPT} RESULT_VARIABLE failed)
file(REMOVE_RECURSE ${FOLDER})
if(failed)
  message(FATAL_ERROR "${COMPILER} ${FLAGS}: prints something else than ${KEPT}")
endif()
