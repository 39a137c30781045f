#pragma once

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <string.h>

#include "p256.h"

/* EVP_Digest in a context that the thread keeps: to make one takes longer than to hash a token. Returns whether there is such a hash. */
static inline int bb_digest(const EVP_MD *algorithm, const void *bytes, size_t count, unsigned char *hash) {
    static _Thread_local EVP_MD_CTX *context;
    if (context == NULL) context = EVP_MD_CTX_new();
    return EVP_DigestInit_ex(context, algorithm, NULL) == 1 && EVP_DigestUpdate(context, bytes, count) == 1 &&
           EVP_DigestFinal_ex(context, hash, NULL) == 1;
}
