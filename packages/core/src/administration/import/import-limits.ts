/** The bounds of imports (docs/contract/exports.md#xpt-14). */

/** Most UTF-16 units of lines in one request. */
export const IMPORT_TEXT_MAX = 2_097_152;

/** Longest body of a request, in bytes. */
export const IMPORT_BYTES_MAX = 8_388_608;

/** Most refused lines that an answer names. */
export const IMPORT_PROBLEMS_MAX = 100;
