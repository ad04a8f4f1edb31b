/** The bounds of imports (docs/contract/exports.md#xpt-14). */
import { VALUE_BYTES_MAX } from '../../storage/store/store.js';

/** Most UTF-16 units of lines in one request. */
export const IMPORT_TEXT_MAX = 2_097_152;

/** Longest body of a request, in bytes. */
export const IMPORT_BYTES_MAX = 8_388_608;

/** Most refused lines that an answer names. */
export const IMPORT_PROBLEMS_MAX = 100;

/**
 * Greatest revision of a line, and greatest number of anything else that goes on counting: 2^47. A
 * revision has 48 bits in the feed, so there is room for as many further changes.
 */
export const IMPORT_COUNT_MAX = 2 ** 47;

/** Most bytes of a stored value. Commands make none that is larger; encryption adds some bytes. */
export const IMPORT_VALUE_BYTES_MAX = VALUE_BYTES_MAX - 1_024;
