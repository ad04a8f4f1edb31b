/** Delivers a secret on standard output or to a file, the only time it is shown. */
import type { CommandIo } from '../command/command.js';
import { CommandError } from '../command/command-error.js';
import type { SecretKeeper } from './kept-secret.js';
import { jsonLine } from './printable.js';

/** What is delivered, and to where. */
export interface Delivery {
  readonly io: CommandIo;
  /** Takes the secret, so that it is not printed. */
  readonly keeper: SecretKeeper | undefined;
  /** How to get access if the secret is lost. */
  readonly otherwise: string;
}

/**
 * Writes a result as one JSON line.
 * @throws {CommandError} when standard output is closed or the file cannot be written. The change
 * stays made.
 */
export async function deliver(result: object, { io, keeper, otherwise }: Delivery): Promise<void> {
  try {
    await io.writeOut(jsonLine(keeper?.keep(result) ?? result));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message =
      keeper?.written === undefined
        ? `The change was made, but its secret could not be written (${reason}) and is not ` +
          `stored. ${otherwise}`
        : `The change was made and its secret is in ${keeper.written}, but its answer could not be ` +
          `written (${reason}).`;
    throw new CommandError(message, { cause });
  }
}
