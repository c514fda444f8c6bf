#include <pleach/rules.h>
#include <stddef.h>
struct rules *rules_parse(const char *text, void (*report)(void *to, int line, bool fatal, const char *why), void *to){(void)text;(void)report;(void)to;return NULL;}
uint64_t rules_sited(const struct rules *r, const struct facts *f){(void)r;(void)f;return 0;}
uint64_t rules_at(const struct rules *r, uint64_t sited, const char *site){(void)r;(void)sited;(void)site;return 0;}
const struct rule *rules_find(const struct rules *r, const struct facts *f, uint64_t at){(void)r;(void)f;(void)at;return NULL;}
