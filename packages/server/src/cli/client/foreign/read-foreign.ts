/** Reads a file of another project, item by item. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { CommandError } from '../../command/command-error.js';
import type { CommandIo } from '../../command/command.js';
import { inputBytes, inputText } from '../input-text.js';
import type { ForeignItem } from './foreign-item.js';
import { chatgptItems, graphItem, langgraphItems, mem0Items } from './json-formats.js';
import { mappedItem, mappingOf } from './mapped-lines.js';
import { markdownItems } from './markdown-files.js';

/** The formats of other projects. */
export const foreignFormats = [
  'mcp-memory',
  'mem0',
  'langgraph',
  'markdown',
  'chatgpt',
  'json-lines',
] as const;
/** A format of another project. */
export type ForeignFormat = (typeof foreignFormats)[number];

const wholeFiles = { mem0: mem0Items, langgraph: langgraphItems, chatgpt: chatgptItems };

/**
 * Yields the items of a file.
 * @throws {CommandError} for a file that isn't of the format, with the number of the line.
 */
export async function* readForeign(
  io: CommandIo,
  format: ForeignFormat,
  file: string,
  mapping: readonly string[],
): AsyncGenerator<ForeignItem, void> {
  if (format === 'markdown') {
    yield* markdownItems(file);
    return;
  }
  if (format === 'mcp-memory' || format === 'json-lines') {
    const mapped = format === 'json-lines' ? mappingOf(mapping) : undefined;
    yield* linesOf(io, file, (line) =>
      mapped === undefined ? graphItem(line) : mappedItem(line, mapped),
    );
    return;
  }
  const text = await inputText(io, file, 'file');
  try {
    yield* wholeFiles[format](JSON.parse(text));
  } catch (cause) {
    if (!(cause instanceof SyntaxError) || !text.trimStart().startsWith('{')) {
      throw failure(file, cause);
    }
    // Several objects, one a line.
    for (const [at, line] of text.split('\n').entries()) {
      if (line.trim() !== '') yield* parsed(`${file}, line ${at + 1}`, line, wholeFiles[format]);
    }
  }
}

async function* linesOf(
  io: CommandIo,
  file: string,
  itemOf: (line: unknown) => ForeignItem,
): AsyncGenerator<ForeignItem, void> {
  const input = Readable.from(inputBytes(io, file));
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    number += 1;
    if (line.trim() === '') continue;
    yield* parsed(`${file}, line ${number}`, line, (value) => [itemOf(value)]);
  }
}

function parsed(
  origin: string,
  text: string,
  itemsOf: (value: unknown) => readonly ForeignItem[],
): readonly ForeignItem[] {
  try {
    return itemsOf(JSON.parse(text));
  } catch (cause) {
    throw failure(origin, cause);
  }
}

function failure(origin: string, cause: unknown): CommandError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CommandError(`${origin}: ${reason}`, { cause });
}
