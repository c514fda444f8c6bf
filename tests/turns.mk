# SPDX-License-Identifier: BSD-2-Clause
# Part of the Makefile, for GNU make: the order in which tests begin.
#
# The scripts of mpi_tests run one after the other: their ranks need all cores, and two such scripts at a time would cost
# each other whole time slices. Each script depends on the one before it. With a lock instead, a script that waits would
# occupy one of make's jobs.
after = $(foreach pair,$(join $(addsuffix :|,$(1)),$(wordlist 1,$(words $(1)),$(2))),$(eval $(pair)))
turns := $(filter $(mpi_tests:.sh=.log),$(TEST_LOGS))
$(call after,$(wordlist 2,$(words $(turns)),$(turns)),$(turns))

# The other tests run as many at a time as there are cores. Without this limit, make would begin all of them before the next
# script of mpi_tests. With more than four cores, they use those that are left. With fewer, they come after all scripts of
# mpi_tests: a rank that waits yields its core, and gets it back only when the time slice of a test beside it is over.
cores := $(shell nproc)
others := $(filter-out $(turns),$(TEST_LOGS))
second := $(shell test $(cores) -gt 2 && echo $(cores) || echo 2)
$(call after,$(wordlist $(second),$(words $(others)),$(others)),$(others))
ifeq ($(shell test $(cores) -gt 4 && echo many),)
$(others): | $(lastword $(turns))
endif
