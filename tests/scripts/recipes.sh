#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Python accepts the recipes for Spack and EasyBuild, and their data, and those of the recipe for Apptainer, are of this
# release. Made-up names stand for those of Spack and EasyBuild. make recipes fills in the tarball's checksum.
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

    def with_or_without(self, name):
        return ["--with-" + name]


class Executable:
    def __init__(self, path):
        self.path = path

    def __call__(self, *words):
        print("runs", self.path, *words)


def told(what):
    return lambda *words, **more: print(what, *words, *more.values())


def decorator(*_, **__):
    return lambda function: function


license, version, variant, depends_on = told("license"), told("version"), told("variant"), told("depends")
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
package.test_simulate()
END
(cd "$scratch" && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$scratch "$python" use.py "$recipe") >"$out" 2>&1 ||
    fail 'the recipe does not run'
version=$("$PLEACH" --version)
cat >"$scratch/wanted" <<END
license BSD-2-Clause
version ${version#pleach }
variant libunwind True Show the functions around each call in logs and reports
variant libdw True Show files and lines in reports
variant json True Make any form of a report from one that is finished
depends c build
depends gmake build
depends pkgconfig build
depends libunwind +libunwind
depends elfutils +libdw
depends json-c +json
url file://$scratch/pleach-1.2.tar.gz
configure --disable-tests
configure --with-libunwind
configure --with-libdw
configure --with-json
runs /opt/pleach/bin/pleach simulate all all --ranks 1-9
runs /opt/pleach/bin/pleach simulate all all --ranks 1-9
END
diff "$scratch/wanted" "$out" || fail 'the recipe tells something else'
"$srcdir/configure" --help >"$scratch/help"
says "$scratch/help" '  --disable-tests '
# configure's help shows either the --with or the --without form of an option.
for word in --without-libdw --without-json --without-libunwind; do
    says "$scratch/help" "$word"
done

# EasyBuild's recipe sets variables.
version=${version#pleach }
easy=$srcdir/share/easybuild/pleach-$version-GCCcore-13.3.0.eb
cat >"$scratch/easy.py" <<'END'
import sys

space = {"SOURCE_TAR_GZ": "tar"}
exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), space)
name = "%s-%s-%s-%s.eb" % (space["name"], space["version"], space["toolchain"]["name"], space["toolchain"]["version"])
print(name, space["easyblock"], space["moduleclass"], space["configopts"], *space["checksums"])
END
"$python" "$scratch/easy.py" "$easy" >"$out" 2>&1
equal "EasyBuild's recipe" "$(cat "$out")" "${easy##*/} ConfigureMake perf --disable-tests --with-libdw --with-json None"
equal "versions in Apptainer's recipe" "$(grep -o '[0-9]*\.[0-9]*\.[0-9]*' "$srcdir/share/apptainer/pleach.def" | sort -u)" \
    "$version"
lines "$srcdir/share/rpm/pleach.spec" "^Version:  *$version\$" 1

# The recipes of a tarball have its checksum.
if have sha256sum 'make recipes'; then
    (unset MAKEFLAGS MFLAGS MAKELEVEL && make -C "$builddir" --no-print-directory recipes) >"$out" 2>&1 ||
        fail "make recipes: $(cat "$out")"
    sum=$(sha256sum "$builddir/pleach-$version.tar.gz" 2>/dev/null | cut -d ' ' -f 1)
    says "$builddir/recipes/package.py" "version(\"$version\", sha256=\"$sum\")"
    says "$builddir/recipes/${easy##*/}" "checksums = ['$sum']"
    rm -r "$builddir/pleach-$version.tar.gz" "$builddir/recipes"
fi
exit "$status"
