#pragma once

#include <curl/curl.h>

// Functions of a variable number of arguments do not import.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
static inline CURLcode bb_curl_set_number(CURL *curl, CURLoption option, long value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode bb_curl_set_text(CURL *curl, CURLoption option, const char *value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode bb_curl_set_list(CURL *curl, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode bb_curl_set_reader(CURL *curl, curl_read_callback reader, void *argument) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_READFUNCTION, reader);
    return code == CURLE_OK ? curl_easy_setopt(curl, CURLOPT_READDATA, argument) : code;
}
static inline CURLcode bb_curl_set_writer(CURL *curl, curl_write_callback writer, void *argument) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, writer);
    return code == CURLE_OK ? curl_easy_setopt(curl, CURLOPT_WRITEDATA, argument) : code;
}
static inline CURLcode bb_curl_set_opener(CURL *curl, curl_opensocket_callback opener, void *argument) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, opener);
    return code == CURLE_OK ? curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, argument) : code;
}
// The bytes are copied.
static inline CURLcode bb_curl_set_body(CURL *curl, const void *bytes, long count) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, count);
    return code == CURLE_OK ? curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}
static inline long bb_curl_response_code(CURL *curl) {
    long code = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
    return code;
}
// Seconds; 0 where the answer does not say.
static inline long bb_curl_retry_after(CURL *curl) {
    curl_off_t seconds = 0;
    curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &seconds);
    return (long)seconds;
}
static inline CURLMcode bb_curl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
