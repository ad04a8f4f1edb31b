/** Common members of the operations that list a directory. */
import * as v from 'valibot';
import {
  CURSOR_CHARS_MAX,
  DIRECTORY_LIMIT_DEFAULT,
  DIRECTORY_LIMIT_MAX,
} from '../../contract/limits.js';
import { closed } from '../../contract/schema/document.js';
import { administrationVersion, boundedInteger } from '../../contract/schema/number.js';
import { inputFirstChecks } from './orders-of-checks.js';

/** The query parameters of a directory list. */
const DirectoryParameters = closed({
  contract_version: administrationVersion(),
  limit: v.optional(boundedInteger(1, DIRECTORY_LIMIT_MAX), DIRECTORY_LIMIT_DEFAULT),
  cursor: v.optional(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
});

/** The input, checks and errors of a directory list. */
export const directoryOperation = {
  effect: 'read',
  input: { parameters: DirectoryParameters },
  checks: inputFirstChecks,
  isHeavy: true,
  // Clients must expect these, although no case leads to them today.
  errors: ['revision_conflict', 'request_too_large'],
} as const;
