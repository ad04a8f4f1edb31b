/** Common members of the operations that list a directory. */
import { DirectoryParameters } from './schema.js';

/** The input, checks and errors of a directory list. */
export const directoryOperation = {
  effect: 'read',
  input: { parameters: DirectoryParameters },
  checks: ['parameters', 'version', 'rules', 'authority'],
  errors: ['invalid_request', 'unsupported_contract_version', 'forbidden'],
  isHeavy: true,
} as const;
