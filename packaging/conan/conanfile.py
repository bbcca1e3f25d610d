"""The library alone: conan create packaging/conan"""

from pathlib import Path

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy
from conan.tools.gnu import PkgConfigDeps

ROOT = Path(__file__).resolve().parents[2]


class Neuroprim(ConanFile):
    name = "neuroprim"
    version = "1.0.0"
    license = "MIT"
    description = "Constrained spanning trees: classical, learned, proven"
    settings = "os", "arch", "compiler", "build_type"
    requires = "fmt/[>=9 <11]", "nlohmann_json/[>=3.11 <4]", "zlib/[>=1.2.11 <2]", "expat/[>=2.5 <3]", "cairo/[>=1.16 <2]"
    tool_requires = "cmake/[>=3.25]"
    options = {"fPIC": [True, False]}
    default_options = {"fPIC": True}

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "cmake/*", "include/*",
                        "src/*", "models/*"):
            copy(self, pattern, str(ROOT), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for name in ("BUILD_CLI", "SERVE", "WERROR"):
            toolchain.cache_variables[f"NEUROPRIM_{name}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["neuroprim"]
        self.cpp_info.set_property("cmake_target_name", "neuroprim::neuroprim")
