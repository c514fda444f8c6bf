! SPDX-License-Identifier: BSD-2-Clause
! FORTRAN 77, mpif.h: a broadcast, a scan, a reduction and an allreduce
! with IN_PLACE.
      program main
      implicit none
      include 'mpif.h'
      integer n
      parameter (n = 50021)
      integer rank, size, root, ierr, i, data(n), sums(n)
      double precision x(n)
      logical ok

      call mpi_init(ierr)
      call mpi_comm_rank(mpi_comm_world, rank, ierr)
      call mpi_comm_size(mpi_comm_world, size, ierr)
      ok = .true.

      do 20 root = 0, size - 1
         do 10 i = 1, n
            x(i) = -1d0
            if (rank .eq. root) x(i) = i + 1000d0 * root
   10    continue
         call mpi_bcast(x, n, mpi_double_precision, root,
     &                  mpi_comm_world, ierr)
         do 15 i = 1, n
            ok = ok .and. x(i) .eq. i + 1000d0 * root
   15    continue
   20 continue

      do 30 i = 1, n
         data(i) = i + rank
         sums(i) = -1
   30 continue
      call mpi_scan(data, sums, n, mpi_integer, mpi_sum,
     &              mpi_comm_world, ierr)
      do 40 i = 1, n
         ok = ok .and. sums(i) .eq. (rank + 1) * i + rank * (rank + 1)
     &                              / 2
   40 continue

      if (rank .eq. 0) then
         call mpi_reduce(mpi_in_place, data(1), n, mpi_integer,
     &                   mpi_max, 0, mpi_comm_world, ierr)
         do 50 i = 1, n
            ok = ok .and. data(i) .eq. i + size - 1
   50    continue
      else
         call mpi_reduce(data(1), data(1), n, mpi_integer, mpi_max,
     &                   0, mpi_comm_world, ierr)
      end if

      call mpi_allreduce(mpi_in_place, sums, n, mpi_integer, mpi_max,
     &                   mpi_comm_world, ierr)
      do 60 i = 1, n
         ok = ok .and. sums(i) .eq. size * i + size * (size - 1) / 2
   60 continue

      if (.not. ok) then
         print *, 'bcast.f: wrong on rank ', rank
         call mpi_abort(mpi_comm_world, 1, ierr)
      end if
      call mpi_barrier(mpi_comm_world, ierr)
      if (rank .eq. 0) print '(a)', 'bcast ok'
      call mpi_finalize(ierr)
      end
