#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The modulefiles put the installed folders before others, and preload nothing. Each is read by its own language, if an
# interpreter is installed.
. "$srcdir/tests/mpi.sh"
tcl=$builddir/share/modulefile.tcl
lua=$builddir/share/modulefile.lua
bindir=$(sed -n 's/^prepend-path PATH "\(.*\)"$/\1/p' "$tcl")
mandir=$(sed -n 's/^prepend-path MANPATH "\(.*\)"$/\1/p' "$tcl")
pkgconfigdir=$(sed -n 's/^prepend-path PKG_CONFIG_PATH "\(.*\)"$/\1/p' "$tcl")

equal 'the first line' "$(head -n 1 "$tcl")" '#%Module1.0'
for folder in "$bindir" "$mandir" "$pkgconfigdir"; do
    case $folder in
    /*) ;;
    *) fail "'$folder' is no full path" ;;
    esac
done
lines "$tcl" '@[a-zA-Z]*@' 0
lines "$lua" '@[a-zA-Z]*@' 0
lines "$lua" '[$]' 0

cat >"$scratch/wanted" <<END
conflict pleach
prepend PATH $bindir
prepend MANPATH $mandir
prepend PKG_CONFIG_PATH $pkgconfigdir
END

# performed LANGUAGE: fails unless the modulefile has made exactly the wanted calls.
performed() {
    diff "$scratch/wanted" "$scratch/out" || fail "$1 does something else"
}

if command -v tclsh >/dev/null; then
    cat >"$scratch/module.tcl" <<'END'
proc module-whatis {text} {}
proc conflict {name} { puts "conflict $name" }
proc prepend-path {variable folder} { puts "prepend $variable $folder" }
source [lindex $argv 0]
END
    tclsh "$scratch/module.tcl" "$tcl" >"$scratch/out" 2>&1
    performed Tcl
else
    echo 'no tclsh here'
fi

for interpreter in lua lua5.4 lua5.3 lua5.1 luajit; do
    command -v "$interpreter" >/dev/null && break
done
if command -v "$interpreter" >/dev/null; then
    cat >"$scratch/module.lua" <<'END'
function help() end
function whatis() end
function conflict(name) print("conflict " .. name) end
function prepend_path(variable, folder) print("prepend " .. variable .. " " .. folder) end
dofile(arg[1])
END
    "$interpreter" "$scratch/module.lua" "$lua" >"$scratch/out" 2>&1
else
    echo 'no Lua here: its calls are read as text'
    sed -n -e 's/^conflict("\(.*\)")$/conflict \1/p' -e 's/^prepend_path("\(.*\)", "\(.*\)")$/prepend \1 \2/p' "$lua" \
        >"$scratch/out"
fi
performed Lua
exit "$status"
