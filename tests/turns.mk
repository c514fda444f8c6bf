# SPDX-License-Identifier: BSD-2-Clause
# Part of the Makefile, for GNU make: the order in which tests begin.
#
# The scripts of mpi_tests run one after the other: their ranks need all cores, and two such scripts at a time would cost
# each other whole time slices. Each script depends on the one before it. With a lock instead, a script that waits would
# occupy one of make's jobs.
after = $(foreach pair,$(join $(addsuffix :|,$(1)),$(wordlist 1,$(words $(1)),$(2))),$(eval $(pair)))
turns := $(filter $(mpi_tests:.sh=.log),$(TEST_LOGS))
$(call after,$(wordlist 2,$(words $(turns)),$(turns)),$(turns))

# On few cores the other tests come after all scripts of mpi_tests: a rank that waits yields its core, and would get it back
# only when the time slice of a test beside it is over. On more cores the other tests run beside the scripts, as many at a
# time as there are cores. Without this limit, make would begin all of them before the next script of mpi_tests.
cores := $(shell nproc)
others := $(filter-out $(turns),$(TEST_LOGS))
ifeq ($(shell test $(cores) -gt 4 && echo many),many)
$(call after,$(wordlist $(cores),$(words $(others)),$(others)),$(others))
else
$(others): | $(lastword $(turns))
endif
