# SPDX-License-Identifier: BSD-2-Clause
# Part of the Makefile, for GNU make: the order in which tests begin.
#
# The scripts of mpi_tests run one after the other: their ranks need all cores, and two such scripts at a time would cost
# each other whole time slices. Each script depends on the one before it. With a lock instead, a script that waits would
# occupy one of make's jobs.
after = $(foreach pair,$(join $(addsuffix :|,$(1)),$(wordlist 1,$(words $(1)),$(2))),$(eval $(pair)))
turns := $(filter $(mpi_tests:.sh=.log),$(TEST_LOGS))
$(call after,$(wordlist 2,$(words $(turns)),$(turns)),$(turns))

# The other tests use the cores that are left: as many tests at a time as there are cores. Without this limit, make would
# begin all of them before the next script of mpi_tests.
others := $(filter-out $(turns),$(TEST_LOGS))
second := $(shell cores=`nproc`; test "$$cores" -gt 2 || cores=2; echo $$cores)
$(call after,$(wordlist $(second),$(words $(others)),$(others)),$(others))
