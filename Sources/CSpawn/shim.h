#pragma once

/* Swift's Glibc is imported without _GNU_SOURCE, which hides these two. Declared, not included: what this
   module includes first, Swift would no longer find in Glibc. The first parameter's type has no name but
   that of its typedef. */
int posix_spawn_file_actions_addclosefrom_np(void *, int);
#define POSIX_SPAWN_SETSID 0x80
