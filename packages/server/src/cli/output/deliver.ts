/** Delivers a secret, the only time it is shown: on standard output, or in the file of a flag. */
import type { CommandIo } from '../command/command.js';
import { CommandError } from '../command/command-error.js';
import type { SecretKeeper } from './kept-secret.js';
import { jsonLine } from './printable.js';

/** How a result with a secret is delivered. */
export interface Delivery {
  /** The file for the secret, which is then not printed. */
  readonly kept: SecretKeeper | undefined;
  /** How to get access without the secret. */
  readonly otherwise: string;
}

/**
 * Writes a result as one JSON line.
 * @throws {CommandError} when standard output is closed. The change stays made, and the message
 * says how to get access without the secret.
 */
export async function deliver(
  io: CommandIo,
  result: object,
  { kept, otherwise }: Delivery,
): Promise<void> {
  let isKept = false;
  try {
    const shown = kept?.keep(result) ?? result;
    isKept = kept !== undefined;
    await io.writeOut(jsonLine(shown));
  } catch (cause) {
    if (isKept) throw cause;
    const place = kept === undefined ? 'to standard output' : 'to its file';
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(
      `The change was made, but its secret could not be written ${place} (${reason}) and is ` +
        `not stored. ${otherwise}`,
      { cause },
    );
  }
}
