#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Python accepts the recipe for Spack, and its data are those of this release. A made-up module stands for Spack's own.
. "$srcdir/tests/scripts/mpi.sh"
python=$(command -v python3) || skip 'no python3'
recipe=$srcdir/share/spack/package.py
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 6))' || skip 'this python3 is too old'

mkdir -p "$scratch/spack"
cat >"$scratch/spack/package.py" <<'END'
class Folder(str):
    def __getattr__(self, name):
        return Folder(self + "/" + name)


class Spec(dict):
    def __missing__(self, name):
        spec = Spec()
        spec.prefix = Folder("/opt/" + name)
        return spec


class AutotoolsPackage:
    spec = Spec()
    prefix = Folder("/opt/pleach")


class Executable:
    def __init__(self, path):
        self.path = path

    def __call__(self, *words):
        print("runs", self.path, *words)


def told(what):
    return lambda *words, **more: print(what, *words, *more.values())


def decorator(*_, **__):
    return lambda function: function


license, version, depends_on = told("license"), told("version"), told("depends")
run_after = on_package_attributes = decorator
END
cat >"$scratch/use.py" <<'END'
import sys

space = {}
exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), space)
package = space["Pleach"]()
print("url", package.url_for_version("1.2"))
for word in package.configure_args():
    print("configure", word)
package.simulate()
END
(cd "$scratch" && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$scratch "$python" use.py "$recipe") >"$out" 2>&1 ||
    fail 'the recipe does not run'
version=$("$PLEACH" --version)
cat >"$scratch/wanted" <<END
license BSD-2-Clause
version ${version#pleach }
depends c build
depends pkgconfig build
depends libunwind
depends elfutils
depends json-c
url file://$scratch/pleach-1.2.tar.gz
configure --disable-tests
configure --with-libdw
configure --with-json
runs /opt/pleach/bin/pleach simulate all all --ranks 1-9
END
diff "$scratch/wanted" "$out" || fail 'the recipe tells something else'
"$srcdir/configure" --help >"$scratch/help"
for word in --disable-tests; do
    says "$scratch/help" "  $word "
done
# configure's help shows either the --with or the --without form of an option.
for word in --without-libdw --without-json; do
    says "$scratch/help" "$word"
done
exit "$status"
