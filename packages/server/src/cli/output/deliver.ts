/** Prints a secret on standard output, the only time it is shown. */
import type { CommandIo } from '../command/command.js';
import { CommandError } from '../command/command-error.js';
import { jsonLine } from './printable.js';

/**
 * Writes a result as one JSON line.
 * @throws {CommandError} when standard output is closed. The change stays made; `otherwise` says
 * how to get access without the secret.
 */
export async function deliver(io: CommandIo, result: object, otherwise: string): Promise<void> {
  try {
    await io.writeOut(jsonLine(result));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(
      'The change was made, but its secret could not be written to standard output ' +
        `(${reason}) and is not stored. ${otherwise}`,
      { cause },
    );
  }
}
