! SPDX-License-Identifier: BSD-2-Clause
! plugin: host.c loads this library. It has its own copies of the common blocks that stand for MPI's constants in Fortran.
subroutine plugin_run() bind(C, name="plugin_run")
  use mpi
  implicit none
  integer, parameter :: n = 80021
  integer :: sums(n), rank, ranks, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  sums = merge(5, 1, rank == 0)
  call MPI_Bcast(sums, n, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  call MPI_Allreduce(MPI_IN_PLACE, sums, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  if (any(sums /= 5 * ranks)) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  if (rank == 0) print '(a)', 'plugin ok'
  call MPI_Finalize(ierror)
end subroutine
