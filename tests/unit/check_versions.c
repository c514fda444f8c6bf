/* SPDX-License-Identifier: BSD-2-Clause */
/* The short name of an MPI library, from the text of MPI_Get_library_version(). */
#include "suite.h"

#include "pmpi.h"

static const struct {
    const char *version, *words;
} libraries[] = {
    {"MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 12:34:45 CDT 2022\nMPICH ABI:\t14:2:2\nMPICH Device:\tch4:ucx\n"
     "MPICH configure:\t--with-device=ch4:ucx\n",
     "MPICH 4.0.2 ch4:ucx"},
    {"MPICH Version:      5.0.0\nMPICH Device:    ch4:ofi", "MPICH 5.0.0 ch4:ofi"},
    {"MVAPICH Version      :\t3.0\nMVAPICH Release date :\t06/28/2024\nMVAPICH Device       :\tch4:ofi\n",
     "MVAPICH 3.0 ch4:ofi"},
    {"MVAPICH2 Version      :\t2.3.7\r\n", "MVAPICH2 2.3.7"},
    {"Intel(R) MPI Library 2021.11 for Linux* OS\n", "Intel(R) MPI Library 2021.11 for Linux* OS"},
    {"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4\n", "Open MPI 4.1.4"},
    {"Open MPI v5.0.0rc12\n", "Open MPI 5.0.0rc12"},
    {"Other MPI vast\n", "Other MPI vast"},
    {"Other MPI\nof v3\n", "Other MPI"},
    {"MPICH Version:\nMPICH Device: x", "MPICH Version:"},
    {"Version: 3", "Version: 3"},
    {"MPI 9\nVersion: 3\nA Device:", "MPI 9"},
    {"", ""},
};

START_TEST(libraries_have_short_names)
{
    char words[80];
    for (size_t i = 0; i < COUNT(libraries); i++) {
        pmpi_in_words(libraries[i].version, words, sizeof words);
        ck_assert_str_eq(words, libraries[i].words);
    }
    pmpi_in_words(libraries[0].version, words, 8);
    ck_assert_str_eq(words, "MPICH 4");
}

SUITE("versions", 10)
