/** The error of a command whose message is shown to the operator unchanged. */

/** The failure of a command; the message says what went wrong and what to do next. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
