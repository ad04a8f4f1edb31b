/** Common members of the operations that list a directory. */
import { DirectoryParameters } from './schema.js';

/** The input and checks of a directory list. */
export const directoryOperation = {
  effect: 'read',
  input: { parameters: DirectoryParameters },
  checks: ['parameters', 'version', 'rules', 'authority'],
  isHeavy: true,
} as const;
