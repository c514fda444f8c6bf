# SPDX-License-Identifier: BSD-2-Clause
# Part of the Makefile, for GNU make: in which order tests begin.
#
# The scripts of mpi_tests take turns: their ranks want all cores, and lose whole time slices beside others of that kind. Each
# waits for the one before it; a job that waited for a lock would keep another test from running.
after = $(foreach pair,$(join $(addsuffix :|,$(1)),$(wordlist 1,$(words $(1)),$(2))),$(eval $(pair)))
turns := $(filter $(mpi_tests:.sh=.log),$(TEST_LOGS))
$(call after,$(wordlist 2,$(words $(turns)),$(turns)),$(turns))

# The others are for the cores that are left: as many at a time. Without that, make would begin all of them before it looked
# again at who waits for a turn.
others := $(filter-out $(turns),$(TEST_LOGS))
second := $(shell cores=`nproc`; test "$$cores" -gt 2 || cores=2; echo $$cores)
$(call after,$(wordlist $(second),$(words $(others)),$(others)),$(others))
