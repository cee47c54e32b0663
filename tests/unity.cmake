# mck_join_files(RESULT DIRECTORY COUNT FILE...): RESULT is COUNT C files in DIRECTORY that include the FILEs, some
# eight each (unity.py). They are written again when a FILE gets a name that another has.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(MCK_UNITY_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/unity.py)
function(mck_join_files result directory count)
  set(joined "")
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    list(APPEND joined ${directory}/unity-${i}.c)
  endforeach()
  add_custom_command(OUTPUT ${joined} DEPENDS ${ARGN} ${MCK_UNITY_SCRIPT} VERBATIM
                     COMMAND ${Python3_EXECUTABLE} ${MCK_UNITY_SCRIPT} ${directory} ${count} ${ARGN})
  set(${result} ${joined} PARENT_SCOPE)
endfunction()

# mck_group_files(NAME SCRIPT ARGUMENT...): groups of files, as SCRIPT prints them, that a target with UNITY_BUILD
# compiles as one. They are made when cmake runs: a name that two of them get later may need it once more.
function(mck_group_files name script)
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${script} ${ARGN}
                  OUTPUT_VARIABLE groups OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" groups "${groups}")
  set(number 0)
  foreach(group ${groups})
    string(REPLACE "|" ";" files "${group}")
    math(EXPR number "${number} + 1")
    set_source_files_properties(${files} PROPERTIES UNITY_GROUP ${name}-${number})
  endforeach()
endfunction()
