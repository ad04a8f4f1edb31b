/** Reads a file that holds one secret. */
import { readFileSync } from 'node:fs';
import { InvalidOptionsError } from './invalid-options-error.js';

/**
 * Returns the text of a file without its last line ending.
 * @throws {InvalidOptionsError} when it cannot be read or is no UTF-8; `origin` is what named it.
 */
export function readSecretFile(file: string, origin: string): string {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return decoder.decode(readFileSync(file)).replace(/\r?\n$/, '');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidOptionsError([`${origin}: ${file} cannot be read (${reason}).`]);
  }
}
