#pragma once

#include <uninorm.h>

// UNINORM_NFC is the address of a type that Swift cannot see into.
static inline uint8_t *canonically_composed(const uint8_t *text, size_t count, size_t *composed_count)
{
    return u8_normalize(UNINORM_NFC, text, count, NULL, composed_count);
}
