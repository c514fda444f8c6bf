# SPDX-License-Identifier: BSD-2-Clause
"""Spack's recipe for Pleach.

Copy this file to pleach/package.py among the packages of a repository of yours (spack repo create, spack repo add). These
are in the folder packages or, from Spack 1.0 on, in spack_repo/NAMESPACE/packages. Pleach has no public address, so put
the tarball that `make dist` makes into the folder where you call

    spack install --no-checksum pleach

or into a mirror. `make recipes` makes the tarball, and a copy of this file with its checksum, which needs no --no-checksum.
"""

import os

from spack.package import *

try:  # Spack 1.0 and later
    from spack_repo.builtin.build_systems.autotools import AutotoolsPackage
except ImportError:
    pass


class Pleach(AutotoolsPackage):
    """Pleach makes large broadcasts, reductions, all-reduces and scans of unmodified MPI programs faster. It is a
    preloaded library, and pipelines the blocks of a message through all ranks at once."""

    manual_download = True

    license("BSD-2-Clause")

    version("0.2.0")

    variant("libunwind", default=True, description="Show the functions around each call in logs and reports")
    variant("libdw", default=True, description="Show files and lines in reports")
    variant("json", default=True, description="Make any form of a report from one that is finished")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    # Pleach opens libunwind at run time, and finds it by the path that Spack's compiler puts into the library.
    depends_on("libunwind", when="+libunwind")
    # Only the command needs libdw and json-c.
    depends_on("elfutils", when="+libdw")
    depends_on("json-c", when="+json")

    def url_for_version(self, version):
        return f"file://{os.getcwd()}/pleach-{version}.tar.gz"

    def configure_args(self):
        parts = [self.with_or_without(name) for name in ("libunwind", "libdw", "json")]
        return ["--disable-tests"] + sum(parts, [])

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def simulate(self):
        Executable(self.prefix.bin.pleach)("simulate", "all", "all", "--ranks", "1-9")

    def test_simulate(self):
        """simulate all engines on few ranks"""
        self.simulate()
