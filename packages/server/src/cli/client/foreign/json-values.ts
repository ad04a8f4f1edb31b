/** The values of JSON in texts: of a whole file, or of each of its lines. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { CommandError } from '../../command/command-error.js';
import type { CommandIo } from '../../command/command.js';
import { inputBytes } from '../input-text.js';
import { parseExactly } from '../exact-json.js';
import type { SourceText } from './source-texts.js';

/** A value, or why there is none, and where it stands. */
export type PlacedValue =
  | { readonly place: string; readonly value: unknown }
  | { readonly place: string; readonly reason: string };

/**
 * Returns the value of a text, or of each of its lines where it is several objects.
 * @throws {CommandError} for a text that is neither.
 */
export function valuesIn({ place, text }: SourceText): PlacedValue[] {
  const plain = withoutMark(text);
  try {
    return [{ place, value: parseExactly(plain) }];
  } catch (cause) {
    const lines = plain.split('\n');
    const isOne = lines.filter((line) => line.trim() !== '').length < 2;
    const areObjects = lines.some((line) => isObject(line));
    if (isOne || !areObjects) throw new CommandError(`${place}: ${reasonOf(cause)}`, { cause });
    return lines.flatMap((line, at) => valueOfLine(`${place}, line ${at + 1}`, line));
  }
}

/** Yields the value of each line of a file, as far as it was read. */
export async function* valuesOfLines(
  io: CommandIo,
  file: string,
): AsyncGenerator<PlacedValue, void> {
  const input = Readable.from(inputBytes(io, file));
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    number += 1;
    yield* valueOfLine(`${file}, line ${number}`, number === 1 ? withoutMark(line) : line);
  }
}

function valueOfLine(place: string, line: string): PlacedValue[] {
  if (line.trim() === '') return [];
  try {
    return [{ place, value: parseExactly(line) }];
  } catch (cause) {
    return [{ place, reason: reasonOf(cause) }];
  }
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

/** Editors on Windows begin files with a byte order mark. */
function withoutMark(text: string): string {
  return text.replace(/^\u{feff}/u, '');
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
