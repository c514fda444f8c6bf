/* SPDX-License-Identifier: BSD-2-Clause */
/* MPI before version 4 has no large counts. With such an MPI, MPI_X_c is another name for MPI_X in tests. */
#pragma once

#include <mpi.h>

#if MPI_VERSION < 4
typedef int large_count;
typedef MPI_Aint large_address;
typedef MPI_User_function MPI_User_function_c;
#define MPI_Allreduce_c MPI_Allreduce
#define MPI_Bcast_c MPI_Bcast
#define MPI_Exscan_c MPI_Exscan
#define MPI_Op_create_c MPI_Op_create
#define MPI_Reduce_c MPI_Reduce
#define MPI_Scan_c MPI_Scan
#define MPI_Type_create_hindexed_c MPI_Type_create_hindexed
#define PMPI_Allreduce_c PMPI_Allreduce
#define PMPI_Bcast_c PMPI_Bcast
#define PMPI_Exscan_c PMPI_Exscan
#define PMPI_Reduce_c PMPI_Reduce
#define PMPI_Scan_c PMPI_Scan
#else
typedef MPI_Count large_count, large_address;
#endif
