#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes configure and Makefile.in from configure.ac and Makefile.am.
set -e
cd "$(dirname "$0")"
mkdir -p m4 # aclocal warns if it is missing
exec autoreconf -fi
