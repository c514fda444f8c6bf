! SPDX-License-Identifier: BSD-2-Clause
! usempi: applies a user-defined operation in Fortran by scan, exscan, reduce and allreduce of the module mpi.
module affine_maps
    implicit none
contains
    ! Composes maps x -> a(1) x + a(2) modulo a prime, so that nothing overflows.
    subroutine compose(a, b, count, datatype)
        integer, parameter :: prime = 32749
        integer :: count, datatype, a(2, count), b(2, count), i
        if (datatype == 0) stop 1
        do i = 1, count
            b(2, i) = mod(a(1, i) * b(2, i) + a(2, i), prime)
            b(1, i) = mod(a(1, i) * b(1, i), prime)
        end do
    end subroutine
end module

program main
    use mpi
    use affine_maps
    implicit none
    integer, parameter :: n = 20011
    integer :: rank, size, r, op, pairs, ierr
    integer :: mine(2, n), before(2, n), up_to(2, n), all(2, n), everywhere(2, n), want(2, n)
    logical :: ok

    call mpi_init(ierr)
    call mpi_comm_rank(mpi_comm_world, rank, ierr)
    call mpi_comm_size(mpi_comm_world, size, ierr)
    call mpi_type_contiguous(2, mpi_integer, pairs, ierr)
    call mpi_type_commit(pairs, ierr)
    call mpi_op_create(compose, .false., op, ierr)

    call fill(mine, rank)
    before = -7
    call mpi_exscan(mine, before, n, pairs, op, mpi_comm_world, ierr)
    call mpi_scan(mine, up_to, n, pairs, op, mpi_comm_world, ierr)
    call mpi_reduce(mine, all, n, pairs, op, size - 1, mpi_comm_world, ierr)
    call mpi_allreduce(mine, everywhere, n, pairs, op, mpi_comm_world, ierr)

    ok = rank > 0 .or. all_equal(before, -7)
    do r = 0, size - 1
        if (r == 0) then
            call fill(want, 0)
        else
            if (r == rank) ok = ok .and. .not. any(before /= want)
            call fold(want, r)
        end if
        if (r == rank) ok = ok .and. .not. any(up_to /= want)
    end do
    if (rank == size - 1) ok = ok .and. .not. any(all /= want)
    ok = ok .and. .not. any(everywhere /= want)

    if (.not. ok) then
        print *, 'usempi.f90: wrong on rank ', rank
        call mpi_abort(mpi_comm_world, 1, ierr)
    end if
    call mpi_op_free(op, ierr)
    call mpi_type_free(pairs, ierr)
    call mpi_barrier(mpi_comm_world, ierr)
    if (rank == 0) print '(a)', 'usempi ok'
    call mpi_finalize(ierr)

contains
    subroutine fill(a, r)
        integer, intent(out) :: a(2, n)
        integer, intent(in) :: r
        integer :: i
        do i = 1, n
            a(1, i) = mod(7 * i + 13 * r, 1009) + 1
            a(2, i) = mod(11 * i + 17 * r, 2003)
        end do
    end subroutine

    subroutine fold(a, r) ! a = a ∘ (rank r's)
        integer, intent(inout) :: a(2, n)
        integer, intent(in) :: r
        integer, save :: b(2, n)
        call fill(b, r)
        call compose(a, b, n, pairs)
        a = b
    end subroutine

    logical function all_equal(a, value)
        integer, intent(in) :: a(2, n), value
        all_equal = .not. any(a /= value)
    end function
end program
