/** Common members of the operations that list a directory. */
import { DirectoryParameters } from './schema.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';

/** The input, checks and errors of a directory list. */
export const directoryOperation = {
  effect: 'read',
  input: { parameters: DirectoryParameters },
  checks: inputFirstChecks,
  isHeavy: true,
  // Clients must expect these, although no case leads to them today.
  errors: ['revision_conflict', 'request_too_large'],
} as const;
