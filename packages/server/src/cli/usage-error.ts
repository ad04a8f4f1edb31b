/**
 * The refusal of a command line that no command can make sense of.
 * @module
 */

/** Unknown verb or flag, or a wrong number of arguments; reported with the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
