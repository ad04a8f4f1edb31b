/** Texts that a command reads from a file or from standard input. */
import { createReadStream } from 'node:fs';
import type { CommandIo } from '../command/command.js';
import { UsageError } from '../command/usage-error.js';

/** Stands for standard input. */
export const STANDARD_INPUT = '-';

/** Returns the bytes of a file, or of standard input for `-`. */
export function inputBytes(io: CommandIo, file: string): AsyncIterable<Uint8Array> {
  return file === STANDARD_INPUT ? io.readInput() : createReadStream(file);
}

/**
 * Returns the whole text of a file, or of standard input for `-`.
 * @throws {UsageError} when it cannot be read or is not UTF-8; `origin` is what named it.
 */
export async function inputText(io: CommandIo, file: string, origin: string): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for await (const chunk of inputBytes(io, file)) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${origin}: ${file} cannot be read (${reason}).`, { cause });
  }
}
