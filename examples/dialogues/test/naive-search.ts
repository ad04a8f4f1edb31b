/**
 * Answers the example's questions by scanning the lines of the file. Written independently, to
 * compare the example with.
 */
import { readFileSync } from 'node:fs';

/** A line of the file. */
export interface Line {
  readonly conversation: string;
  readonly session: number;
  readonly turn: string;
  readonly speaker: string;
  readonly text: string;
  readonly image_caption?: string;
}

/** Returns all lines of a file. */
export function readLines(path: string | URL): Line[] {
  const text = readFileSync(path, 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line) as Line);
}

/** Returns the names of the matching lines, sorted. */
export function namesOf(lines: readonly Line[], matches: (line: Line) => boolean): string[] {
  return lines
    .filter(matches)
    .map(({ conversation, turn }) => `${conversation} ${turn}`)
    .sort();
}

/** Whether a line mentions a text in its words or image caption, ignoring case. */
export function mentions(needle: string): (line: Line) => boolean {
  const small = needle.toLowerCase();
  return ({ text, image_caption }) =>
    text.toLowerCase().includes(small) || (image_caption ?? '').toLowerCase().includes(small);
}

/** Returns the number of private notes: one per speaker and session. */
export function noteCount(lines: readonly Line[]): number {
  return new Set(lines.map((it) => JSON.stringify([it.conversation, it.session, it.speaker]))).size;
}
