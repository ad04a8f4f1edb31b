/** Reads files of another project, item by item. */
import type { CommandIo } from '../../command/command.js';
import { importMcpGraph } from '../../command/import-mcp.js';
import { CONVERSATION_FILES, chatgptParts } from './chatgpt.js';
import { refuseInexact } from '../exact-json.js';
import { type ForeignItem, type ForeignPart, partAt } from './foreign-item.js';
import { type PlacedValue, valuesIn, valuesOfLines } from './json-values.js';
import { lettaParts } from './letta.js';
import { langgraphParts, mem0Parts } from './list-formats.js';
import { mappedItem, mappingOf } from './mapped-lines.js';
import { markdownParts } from './markdown-files.js';
import { sourceTexts } from './source-texts.js';

/** The formats of other projects. */
export const foreignFormats = [
  'mcp-memory',
  'mem0',
  'langgraph',
  'letta',
  'markdown',
  'chatgpt',
  'json-lines',
] as const;
/** A format of another project. */
type ForeignFormat = (typeof foreignFormats)[number];

interface WholeFile {
  /** The names of the files that are read in a folder or an archive. */
  readonly files: RegExp;
  readonly parts: (place: string, value: unknown) => Iterable<ForeignPart>;
}

const JSON_FILES = /\.jsonl?$/i;

const wholeFiles = {
  mem0: { files: JSON_FILES, parts: mem0Parts },
  langgraph: { files: JSON_FILES, parts: langgraphParts },
  letta: { files: /\.(?:af|json)$/i, parts: lettaParts },
  chatgpt: { files: CONVERSATION_FILES, parts: chatgptParts },
} satisfies Record<string, WholeFile>;

/** What an import reads. */
export interface ForeignSource {
  readonly format: ForeignFormat;
  /** A file, a folder, an archive, or `-`. */
  readonly path: string;
  readonly mapping: readonly string[];
}

/**
 * Yields the parts of a file. One that can't become a record is among them with its reason, and the
 * others follow.
 * @throws {CommandError} for a file that isn't of the format at all.
 */
export async function* readForeign(
  io: CommandIo,
  source: ForeignSource,
): AsyncGenerator<ForeignPart, void> {
  for await (const part of partsOf(io, source)) {
    if (!('item' in part)) yield part;
    else {
      yield partAt(part.place, () => {
        refuseInexact(part.item.record);
        return part.item;
      });
    }
  }
}

function partsOf(io: CommandIo, source: ForeignSource): AsyncIterable<ForeignPart> {
  const { format, path, mapping } = source;
  switch (format) {
    case 'markdown':
      return markdownParts(path);
    case 'json-lines': {
      const mapped = mappingOf(mapping);
      return ofLines(valuesOfLines(io, path), (line) => mappedItem(line, mapped));
    }
    case 'mcp-memory':
      return graphParts(valuesOfLines(io, path));
    case 'mem0':
    case 'langgraph':
    case 'letta':
    case 'chatgpt':
      return ofTexts(io, path, wholeFiles[format]);
  }
}

async function* ofTexts(
  io: CommandIo,
  path: string,
  { files, parts }: WholeFile,
): AsyncGenerator<ForeignPart, void> {
  for await (const text of sourceTexts(io, path, files)) {
    for (const placed of valuesIn(text)) {
      if ('reason' in placed) yield placed;
      else yield* partsOrReason(placed.place, () => parts(placed.place, placed.value));
    }
  }
}

/** Yields parts. A value that isn't of the format at all is one part, with its reason. */
function* partsOrReason(
  place: string,
  read: () => Iterable<ForeignPart>,
): Generator<ForeignPart, void> {
  try {
    yield* read();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    yield { place, reason: cause.message };
  }
}

async function* ofLines(
  lines: AsyncIterable<PlacedValue>,
  itemOf: (value: unknown) => ForeignItem,
): AsyncGenerator<ForeignPart, void> {
  for await (const line of lines) {
    yield 'reason' in line ? line : partAt(line.place, () => itemOf(line.value));
  }
}

/** Yields the graph of the reference server. Several lines of an entity are one. */
async function* graphParts(lines: AsyncIterable<PlacedValue>): AsyncGenerator<ForeignPart, void> {
  const { GraphFile } = await importMcpGraph();
  const file = new GraphFile();
  const places = new Map<string, string>();
  for await (const line of lines) {
    if ('reason' in line) {
      yield line;
      continue;
    }
    try {
      refuseInexact(line.value);
      const name = await file.add(line.value);
      if (!places.has(name)) places.set(name, line.place);
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause;
      yield { place: line.place, reason: cause.message };
    }
  }
  for (const { name, record } of file.records()) {
    yield { place: places.get(name) ?? name, item: { name, record } };
  }
}
