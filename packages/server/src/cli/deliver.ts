/**
 * Hands a secret over on standard output: the one time that it is shown.
 * @module
 */
import type { CommandIo } from './command.js';
import { CommandError } from './command-error.js';

/**
 * Writes a result as one JSON line.
 * @throws {CommandError} when nobody can read it: what was done stays done, and `otherwise` says
 * how to get at it without the secret.
 */
export async function deliver(io: CommandIo, result: object, otherwise: string): Promise<void> {
  try {
    await io.writeOut(`${JSON.stringify(result)}\n`);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(
      `It was done, but the secret could not be written to standard output (${reason}), and it is ` +
        `stored nowhere. ${otherwise}`,
      { cause },
    );
  }
}
