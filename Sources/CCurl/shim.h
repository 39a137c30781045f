#pragma once

#include <curl/curl.h>

// Functions of a variable number of arguments do not import.
#undef curl_easy_setopt
#undef curl_easy_getinfo
static inline CURLcode bb_curl_set_number(CURL *curl, CURLoption option, long value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode bb_curl_set_text(CURL *curl, CURLoption option, const char *value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode bb_curl_set_recipients(CURL *curl, struct curl_slist *value) {
    return curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, value);
}
static inline CURLcode bb_curl_set_reader(CURL *curl, curl_read_callback reader, void *argument) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_READFUNCTION, reader);
    return code == CURLE_OK ? curl_easy_setopt(curl, CURLOPT_READDATA, argument) : code;
}
static inline CURLcode bb_curl_set_writer(CURL *curl, curl_write_callback writer) {
    return curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, writer);
}
static inline long bb_curl_response_code(CURL *curl) {
    long code = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
    return code;
}
