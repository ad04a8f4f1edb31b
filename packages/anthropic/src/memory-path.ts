/** Paths as Claude writes them, and the names of the records that they stand for. */

/** A path below `/memories`. */
export interface MemoryPath {
  /** As it was written; answers repeat it. */
  readonly written: string;
  /** Names of the directories of the path and its last part; none for the top. */
  readonly segments: readonly string[];
}

const TOP = '/memories';

/** Longest name of a record, in UTF-8 bytes. */
const NAME_BYTES_MAX = 512;

/**
 * Reads a path.
 * @throws {Error} when it doesn't lie in `/memories`, whatever way it takes there.
 */
export function memoryPath(written: string): MemoryPath {
  if (!written.startsWith(TOP)) throw new Error(`Path must start with /memories, got: ${written}`);
  if (written.includes('\0')) throw new Error(`Path ${written} has a null character`);
  const way = ['memories'];
  let isOutside = false;
  for (const step of written.slice(TOP.length).toWellFormed().split('/')) {
    if (step === '..') isOutside ||= way.pop() === undefined;
    else if (step !== '' && step !== '.') way.push(step);
  }
  const [first, ...segments] = way;
  if (isOutside || first !== 'memories') {
    throw new Error(`Path ${written} would escape /memories directory`);
  }
  return { written, segments };
}

/** Returns whether one path is below another one at any depth. */
export function isBelow(one: MemoryPath, other: MemoryPath): boolean {
  const depth = other.segments.length;
  return (
    one.segments.length > depth && other.segments.every((each, at) => one.segments[at] === each)
  );
}

/** Characters that names of records can't have, and the character that escapes them. */
const ESCAPED = /[\p{Cc}%]/gu;

/**
 * Returns the name of the record of a path.
 * @throws {Error} when it is too long.
 */
export function recordName(root: string, { written, segments }: MemoryPath): string {
  const name = [root, ...segments.map((each) => each.replaceAll(ESCAPED, encodeURIComponent))].join(
    '/',
  );
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) throw new Error(`Path ${written} is too long`);
  return name;
}

/** Returns the segments below a path that the name of a record stands for. */
export function segmentsBelow(prefix: string, name: string): string[] {
  const below = name.slice(prefix.length).split('/');
  return below.filter((each) => each !== '').map(decoded);
}

/** Names that other programs chose may contain any `%`. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
