/** Parses a file of conversations: one turn per line, each a JSON object. */
import { readFile } from 'node:fs/promises';

/** The words of one speaker at one moment. */
export interface Turn {
  readonly conversation: string;
  /** Number of the session within the conversation, from 1. */
  readonly session: number;
  /** Name of the turn, unique within its conversation, for example `D3:12`. */
  readonly turn: string;
  readonly speaker: string;
  /** Event time, in Unix milliseconds. */
  readonly atMillis: number;
  readonly text: string;
  /** Description of an image sent with the turn. */
  readonly imageCaption: string | null;
}

/** The turns of one conversation, in the order of the file. */
export interface Conversation {
  readonly id: string;
  /** Each once, in order of their first turn. */
  readonly speakers: readonly string[];
  readonly turns: readonly Turn[];
}

/** Returns the place of a turn in a form that sorts as text in numeric order. */
export function sortablePlace(turn: string): string {
  return turn.replaceAll(/\d+/g, (digits) => digits.padStart(6, '0'));
}

/**
 * Reads a file.
 * @throws {Error} that names an invalid or repeated line.
 */
export async function readDialogues(path: string | URL): Promise<Conversation[]> {
  return parseDialogues(await readFile(path, 'utf8'));
}

/** Parses the text of such a file; see {@link readDialogues}. */
export function parseDialogues(text: string): Conversation[] {
  const turns = new Map<string, Turn[]>();
  const places = new Set<string>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const turn = parseTurn(line, index + 1);
    const place = JSON.stringify([turn.conversation, sortablePlace(turn.turn)]);
    if (places.has(place)) throw new Error(`Line ${index + 1}: this turn came before.`);
    places.add(place);
    const earlier = turns.get(turn.conversation);
    if (earlier === undefined) turns.set(turn.conversation, [turn]);
    else earlier.push(turn);
  }
  return [...turns].map(([id, own]) => ({
    id,
    speakers: [...new Set(own.map(({ speaker }) => speaker))],
    turns: own,
  }));
}

function parseTurn(line: string, lineNumber: number): Turn {
  const members = parseObject(line, lineNumber);
  const text = (name: string): string => {
    const value = members[name];
    if (typeof value === 'string') return value;
    throw new Error(`Line ${lineNumber}: "${name}" is not a text.`);
  };
  const integer = (name: string): number => {
    const value = members[name];
    if (Number.isSafeInteger(value)) return value as number;
    throw new Error(`Line ${lineNumber}: "${name}" is not a whole number.`);
  };
  return {
    conversation: text('conversation'),
    session: integer('session'),
    turn: text('turn'),
    speaker: text('speaker'),
    atMillis: integer('at_millis'),
    text: text('text'),
    imageCaption: members['image_caption'] === undefined ? null : text('image_caption'),
  };
}

function parseObject(line: string, lineNumber: number): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new Error(`Line ${lineNumber} is not JSON.`, { cause });
  }
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new Error(`Line ${lineNumber} is not a JSON object.`);
}
