/**
 * Texts that callers choose for what they keep of tools and experiences.
 * @module
 */
import { ID_BYTES_MAX, REFERENCE_BYTES_MAX } from '../limits.js';
import { textOf } from './text-of.js';

/** An id; unique within its place, and never made by the service. */
export const ledgerId = textOf(ID_BYTES_MAX);

/** A reference to something elsewhere, which is never fetched. */
export const reference = textOf(REFERENCE_BYTES_MAX);
