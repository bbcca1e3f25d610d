# One source of kernels, compiled once per instruction set; which one runs is decided when a policy is loaded.
set_source_files_properties(policy/kernels/portable.cpp PROPERTIES COMPILE_OPTIONS "-O3;-Wno-psabi")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_source_files_properties(policy/kernels/avx2.cpp PROPERTIES COMPILE_OPTIONS "-O3;-mavx2;-mfma;-Wno-psabi")
    set_source_files_properties(policy/kernels/avx512.cpp PROPERTIES COMPILE_OPTIONS
                                "-O3;-mavx512f;-mavx512vl;-mavx512dq;-mfma;-Wno-psabi")
    target_compile_definitions(neuroprim PRIVATE NEUROPRIM_X86_KERNELS)
else()
    set_source_files_properties(policy/kernels/avx2.cpp policy/kernels/avx512.cpp PROPERTIES HEADER_FILE_ONLY ON)
endif()
