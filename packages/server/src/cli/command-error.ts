/**
 * A failure of a command whose message is meant for the operator as it stands.
 * @module
 */

/** Says what went wrong and what to do next. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
