/** The query of a page of what a tenant has. */
import * as v from 'valibot';
import {
  CURSOR_CHARS_MAX,
  DIRECTORY_LIMIT_DEFAULT,
  DIRECTORY_LIMIT_MAX,
} from '../../contract/limits.js';
import { closed } from '../../contract/schema/document.js';
import { boundedInteger, contractVersion } from '../../contract/schema/number.js';

/** The query parameters of a list of a tenant. */
export const PageParameters = closed({
  contract_version: contractVersion(),
  limit: v.optional(boundedInteger(1, DIRECTORY_LIMIT_MAX), DIRECTORY_LIMIT_DEFAULT),
  cursor: v.optional(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
});
