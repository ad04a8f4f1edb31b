/**
 * Every bound of the contract, in one place, with its unit in its name.
 * @module
 */

/** Largest document of a request, in bytes. */
export const DOCUMENT_BYTES_MAX = 65_536;
/** Longest text id (scope members, subjects, tenants, keys), in UTF-8 bytes. */
export const TEXT_BYTES_MAX = 256;
/** Greatest integer that the contract carries: 2^53 - 1. */
export const INTEGER_MAX = Number.MAX_SAFE_INTEGER;
/** Most ids in one selector of a scope policy. */
export const SELECTOR_IDS_MAX = 256;
/** Directory pages: most items. */
export const DIRECTORY_LIMIT_MAX = 100;
/** Directory pages: items when no limit is given. */
export const DIRECTORY_LIMIT_DEFAULT = 25;
/** Longest cursor text, in characters. */
export const CURSOR_CHARS_MAX = 8_192;
/** Largest serialized directory page, in bytes. */
export const DIRECTORY_PAGE_BYTES_MAX = 4_194_304;
/** Memory queries: most records of a page. */
export const QUERY_LIMIT_MAX = 1_000;
/** Memory queries: records of a page when no limit is given. */
export const QUERY_LIMIT_DEFAULT = 100;
/** Memory queries: most and default entries examined for a page. */
export const QUERY_SCAN_LIMIT_MAX = 10_000;
/** Most tags in one filter. */
export const QUERY_TAGS_MAX = 16;
/** Entries examined before a query lets other work run. */
export const QUERY_SLICE_ENTRIES = 1_000;
/** Least event or validity time, in Unix milliseconds. */
export const EVENT_TIME_MILLIS_MIN = -8_334_601_228_800_000;
/** Greatest event or validity time, in Unix milliseconds. */
export const EVENT_TIME_MILLIS_MAX = 8_210_266_876_799_999;
/** Greatest magnitude of an embedding number: the greatest finite 32-bit float. */
export const EMBEDDING_MAGNITUDE_MAX = 3.4028234663852886e38;
