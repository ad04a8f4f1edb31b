/**
 * What a file of dialogues answers, found by going through its lines: written apart from the
 * example, so that its tests have something to compare with.
 * @module
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

/** All lines of a file. */
export function readLines(path: string | URL): Line[] {
  const text = readFileSync(path, 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line) as Line);
}

/** The names of the lines that match, sorted. */
export function namesOf(lines: readonly Line[], matches: (line: Line) => boolean): string[] {
  return lines
    .filter(matches)
    .map(({ conversation, turn }) => `${conversation} ${turn}`)
    .sort();
}

/** Whether a line says or shows a text, whatever its case. */
export function mentions(needle: string): (line: Line) => boolean {
  const small = needle.toLowerCase();
  return ({ text, image_caption }) =>
    text.toLowerCase().includes(small) || (image_caption ?? '').toLowerCase().includes(small);
}

/** How many private notes the speakers of the lines keep: one each for each of their sessions. */
export function noteCount(lines: readonly Line[]): number {
  return new Set(lines.map((it) => JSON.stringify([it.conversation, it.session, it.speaker]))).size;
}
