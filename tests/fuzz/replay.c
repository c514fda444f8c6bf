/* SPDX-License-Identifier: BSD-2-Clause */
/* Gives the files that the command line names to a fuzzing program that is built without libFuzzer. */
#include "fuzz.h"

#ifndef FUZZING
int main(int argc, char **argv)
{
    enum { MOST = 1 << 20 };
    static uint8_t data[MOST];
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "r");
        if (!file) {
            perror(argv[i]);
            return 1;
        }
        size_t size = fread(data, 1, sizeof data, file);
        fclose(file);
        LLVMFuzzerTestOneInput(data, size);
    }
    printf("%d inputs ok\n", argc - 1);
}
#endif
