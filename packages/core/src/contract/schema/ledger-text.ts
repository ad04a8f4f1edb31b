/**
 * Texts that callers choose for tools and experiences.
 */
import { ID_BYTES_MAX, REFERENCE_BYTES_MAX } from '../limits.js';
import { textOf } from './text-of.js';

/** An id that the caller makes; unique within its scope. */
export const ledgerId = textOf(ID_BYTES_MAX);

/** A reference to something outside. The service never fetches it. */
export const reference = textOf(REFERENCE_BYTES_MAX);
