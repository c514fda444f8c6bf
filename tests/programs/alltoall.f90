! SPDX-License-Identifier: BSD-2-Clause
! alltoall: makes a large scan and an all-to-all by the module mpi, and by mpi_f08. Prints "alltoall ok".

subroutine older(n)
  use mpi
  implicit none
  integer, intent(in) :: n
  integer :: ranks, error
  integer, allocatable :: in(:), out(:)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  allocate(in(n * ranks), out(n * ranks))
  in = 1
  call MPI_Alltoall(in, n, MPI_INTEGER, out, n, MPI_INTEGER, MPI_COMM_WORLD, error)
  if (any(out /= 1)) call MPI_Abort(MPI_COMM_WORLD, 1, error)
end subroutine

program alltoall
  use mpi_f08
  implicit none
  integer, parameter :: n = 100003
  integer :: rank, ranks
  integer, allocatable :: in(:), out(:)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  allocate(in(n * ranks), out(n * ranks))
  in = rank
  call MPI_Alltoall(in, n, MPI_INTEGER, out, n, MPI_INTEGER, MPI_COMM_WORLD)
  if (out(1) /= 0 .or. out(n * ranks) /= ranks - 1) call MPI_Abort(MPI_COMM_WORLD, 1)
  call MPI_Scan(in, out, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (out(n) /= rank * (rank + 1) / 2) call MPI_Abort(MPI_COMM_WORLD, 1)
  call older(n)
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'alltoall ok'
end program
