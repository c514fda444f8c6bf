! SPDX-License-Identifier: BSD-2-Clause
! usef08: makes calls by mpi_f08, with a scalar, a non-contiguous array section, and a count of MPI_COUNT_KIND.
program main
    use mpi_f08
    implicit none
    integer, parameter :: n = 211, m = 307, rows = 106, columns = 102 ! of the section
    integer :: rank, size, root, i, j
    integer(MPI_COUNT_KIND) :: count
    integer :: grid(n, m), line(n * m), sums(n * m)
    logical :: ok

    ok = .true.
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, size)

    do root = 0, size - 1
        ! Every third column of every second row; the rest of the grid must stay.
        grid = -1 - rank
        if (rank == root) grid(1:n:2, 2:m:3) = value(root)
        call MPI_Bcast(grid(1:n:2, 2:m:3), rows * columns, MPI_INTEGER, root, MPI_COMM_WORLD)
        do j = 1, m
            do i = 1, n
                if (mod(i, 2) == 1 .and. mod(j, 3) == 2) then
                    ok = ok .and. grid(i, j) == value(root)
                else
                    ok = ok .and. grid(i, j) == -1 - rank
                end if
            end do
        end do

        count = n * m
        line = -1
        if (rank == root) line = [(i * 3 + root, i = 1, n * m)]
        call MPI_Bcast(line, count, MPI_INTEGER, root, MPI_COMM_WORLD)
        do i = 1, n * m
            ok = ok .and. line(i) == i * 3 + root
        end do
    end do

    line = rank + 1
    call MPI_Scan(line, sums, count, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    ok = ok .and. .not. any(sums /= (rank + 1) * (rank + 2) / 2)
    call MPI_Scan(MPI_IN_PLACE, line, n * m, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    ok = ok .and. .not. any(line /= sums)

    line = rank + 1
    call MPI_Allreduce(line, sums, count, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    ok = ok .and. .not. any(sums /= size * (size + 1) / 2)
    call MPI_Allreduce(MPI_IN_PLACE, line, n * m, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    ok = ok .and. .not. any(line /= sums)

    if (.not. ok) then
        print *, 'usef08.f90: wrong on rank ', rank
        call MPI_Abort(MPI_COMM_WORLD, 1)
    end if
    call MPI_Barrier(MPI_COMM_WORLD)
    if (rank == 0) print '(a)', 'usef08 ok'
    call MPI_Finalize()

contains
    integer function value(root)
        integer, intent(in) :: root
        value = 100 + root
    end function
end program
