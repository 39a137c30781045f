#pragma once

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>

/* Keys on the curve P-256. A point is 65 bytes: 4, then both coordinates. What is made here is freed by EVP_PKEY_free. */

/* The key of a point, or of a private number where there is one. */
static inline EVP_PKEY *bb_p256_from(const unsigned char *point, const BIGNUM *number) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    OSSL_PARAM *parameters = NULL;
    if (build != NULL && context != NULL &&
        OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, 65) == 1 &&
        (number == NULL || OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, number) == 1) &&
        (parameters = OSSL_PARAM_BLD_to_param(build)) != NULL && EVP_PKEY_fromdata_init(context) == 1)
        EVP_PKEY_fromdata(context, &key, number == NULL ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR, parameters);
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(build);
    EVP_PKEY_CTX_free(context);
    return key;
}

/* NULL for what is no point of the curve. */
static inline EVP_PKEY *bb_p256_public(const unsigned char *point) {
    return point[0] == 4 ? bb_p256_from(point, NULL) : NULL;
}

/* A key pair from its private number of 32 bytes; NULL for one that is 0 or too large. */
static inline EVP_PKEY *bb_p256_private(const unsigned char *number) {
    EVP_PKEY *key = NULL;
    unsigned char bytes[65];
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    BIGNUM *scalar = BN_secure_new();
    EC_POINT *point = group == NULL ? NULL : EC_POINT_new(group);
    if (point != NULL && scalar != NULL && BN_bin2bn(number, 32, scalar) != NULL && !BN_is_zero(scalar) &&
        BN_cmp(scalar, EC_GROUP_get0_order(group)) < 0 && EC_POINT_mul(group, point, scalar, NULL, NULL, NULL) == 1 &&
        EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, bytes, 65, NULL) == 65)
        key = bb_p256_from(bytes, scalar);
    EC_POINT_free(point);
    BN_clear_free(scalar);
    EC_GROUP_free(group);
    return key;
}

static inline EVP_PKEY *bb_p256_random(void) { return EVP_EC_gen("P-256"); }

/* From PEM, as Apple hands keys out (PKCS 8); NULL for anything but a private key on this curve. */
static inline EVP_PKEY *bb_p256_pem(const unsigned char *text, size_t count) {
    BIO *source = BIO_new_mem_buf(text, (int)count);
    EVP_PKEY *key = source == NULL ? NULL : PEM_read_bio_PrivateKey(source, NULL, NULL, (void *)"");
    BIO_free(source);
    char group[32] = "";
    if (key != NULL && (EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, group, sizeof group, NULL) != 1 ||
                        strcmp(group, "prime256v1") != 0)) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    return key;
}

/* Puts the key's point into 65 bytes. */
static inline int bb_p256_point(EVP_PKEY *key, unsigned char *point) {
    unsigned char *encoded = NULL;
    size_t count = EVP_PKEY_get1_encoded_public_key(key, &encoded);
    int isWhole = count == 65 && encoded[0] == 4;
    if (isWhole) memcpy(point, encoded, 65);
    OPENSSL_free(encoded);
    return isWhole;
}

/* Puts what both agree on (ECDH) into 32 bytes. */
static inline int bb_p256_agree(EVP_PKEY *own, EVP_PKEY *other, unsigned char *secret) {
    size_t count = 32;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(own, NULL);
    int isAgreed = context != NULL && EVP_PKEY_derive_init(context) == 1 &&
                   EVP_PKEY_derive_set_peer(context, other) == 1 && EVP_PKEY_derive(context, secret, &count) == 1 &&
                   count == 32;
    EVP_PKEY_CTX_free(context);
    return isAgreed;
}

/* Puts an ECDSA signature with SHA-256 into 64 bytes, as JSON Web Signatures have it (ES256): both numbers. */
static inline int bb_p256_sign(EVP_PKEY *key, const unsigned char *message, size_t count, unsigned char *signature) {
    unsigned char der[80];
    size_t length = sizeof der;
    const unsigned char *start = der;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    ECDSA_SIG *numbers = NULL;
    int isSigned = context != NULL && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1 &&
                   EVP_DigestSign(context, der, &length, message, count) == 1 &&
                   (numbers = d2i_ECDSA_SIG(NULL, &start, (long)length)) != NULL &&
                   BN_bn2binpad(ECDSA_SIG_get0_r(numbers), signature, 32) == 32 &&
                   BN_bn2binpad(ECDSA_SIG_get0_s(numbers), signature + 32, 32) == 32;
    ECDSA_SIG_free(numbers);
    EVP_MD_CTX_free(context);
    return isSigned;
}

/* AES-128-GCM with a nonce of 12 bytes: puts as many bytes as there are, and 16 that prove them, into sealed. */
static inline int bb_aes128_gcm_seal(
    const unsigned char *key, const unsigned char *nonce, const unsigned char *message, size_t count,
    unsigned char *sealed) {
    int written = 0, rest = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int isSealed = context != NULL && EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, key, nonce) == 1 &&
                   EVP_EncryptUpdate(context, sealed, &written, message, (int)count) == 1 &&
                   EVP_EncryptFinal_ex(context, sealed + written, &rest) == 1 &&
                   EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, 16, sealed + count) == 1;
    EVP_CIPHER_CTX_free(context);
    return isSealed;
}
