/** Members of every operation that lists a directory. */
import { DirectoryParameters } from './schema.js';

/** States what a directory list takes, checks and can refuse. */
export const directoryOperation = {
  effect: 'read',
  input: { parameters: DirectoryParameters },
  checks: ['parameters', 'version', 'rules', 'authority'],
  errors: ['invalid_request', 'unsupported_contract_version', 'forbidden', 'page_too_large'],
} as const;
