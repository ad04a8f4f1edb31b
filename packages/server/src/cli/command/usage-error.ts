/** The error of a command line that cannot be parsed. */

/** Unknown command or flag, or a wrong number of arguments; reported with the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
