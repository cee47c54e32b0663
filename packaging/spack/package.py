# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from spack.package import *


class MpiccCheck(CMakePackage):
    """Makes MPI programs check themselves: races, deadlocks, message races, wrong arguments, leaks."""

    license("Apache-2.0 WITH LLVM-exception")
    version("main", branch="main")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("llvm@19 +clang", type=("build", "run"))
    depends_on("openmpi@4.1", type=("build", "link", "run"))
    depends_on("elfutils")
    depends_on("jansson")
    depends_on("libsodium", type=("build", "link"))
    depends_on("xxhash", type="build")
    depends_on("uthash", type="build")

    def cmake_args(self):
        bin = self.spec["llvm"].prefix.bin
        return [f"-DMCK_CLANG={bin.clang}", f"-DMCK_CLANGXX={bin}/clang++"]
