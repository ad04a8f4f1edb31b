/**
 * The spool: texts that wait for the server. The name of a file is made of the text and its turn,
 * so
 * that the same one is there once, and is sent with the same idempotency key however often.
 */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from '../state/digest.js';
import { asObject, objectIn } from '../state/private-json.js';

/** A text of a conversation that is to be stored. */
export interface Captured {
  readonly project: string;
  readonly host: string;
  readonly session: string;
  readonly turn: string;
  /** The title of its session; `undefined` before its first prompt. */
  readonly title?: string | undefined;
  readonly source: 'user' | 'model';
  readonly text: string;
  readonly atMillis: number;
}

/** Files of the spool: with texts of at most 16,000 units, at most about 200 MB. */
const SPOOL_FILES_MAX = 4_096;
const DRAFT_AGE_MS = 60_000;

/** Returns the name of a text in its turn, which is its idempotency key too. */
export function keyOf({ project, host, session, turn, source, text }: Captured): string {
  return digestOf(JSON.stringify([project, host, session, turn, source, text]));
}

/**
 * Puts a text into the spool. Once it returns, a kill of any process loses nothing of it.
 * @throws {Error} when the spool is full.
 */
export function putInSpool(spool: string, captured: Captured): void {
  if (readdirSync(spool).length >= SPOOL_FILES_MAX) {
    throw new Error(
      `${SPOOL_FILES_MAX} texts wait for the server. Start it, or see \`agentkeep memory today\`.`,
    );
  }
  const draft = join(spool, `${process.pid}.tmp`);
  writeFileSync(draft, JSON.stringify(captured), { mode: 0o600 });
  renameSync(draft, join(spool, `${keyOf(captured)}.json`));
}

/**
 * Returns the keys of the texts that wait, the oldest first, and removes drafts of killed hooks.
 */
export function keysInSpool(spool: string): readonly string[] {
  const found: { readonly key: string; readonly atMs: number }[] = [];
  for (const name of readdirSync(spool)) {
    const path = join(spool, name);
    const atMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (atMs === undefined) continue;
    if (name.endsWith('.json')) found.push({ key: name.slice(0, -'.json'.length), atMs });
    else if (Date.now() - atMs > DRAFT_AGE_MS) rmSync(path, { force: true });
  }
  return found.toSorted((one, other) => one.atMs - other.atMs).map(({ key }) => key);
}

/** Returns a text that waits; `undefined` if it was sent meanwhile. */
export function readFromSpool(spool: string, key: string): Captured | undefined {
  let text;
  try {
    text = readFileSync(join(spool, `${key}.json`), 'utf8');
  } catch {
    return undefined;
  }
  return capturedIn(objectIn(text));
}

/** Removes a text that the server has. */
export function removeFromSpool(spool: string, key: string): void {
  rmSync(join(spool, `${key}.json`), { force: true });
}

function capturedIn(value: unknown): Captured | undefined {
  const { project, host, session, turn, title, source, text, atMillis } = asObject(value) ?? {};
  const isWhole =
    typeof project === 'string' &&
    typeof host === 'string' &&
    typeof session === 'string' &&
    typeof turn === 'string' &&
    (title === undefined || typeof title === 'string') &&
    (source === 'user' || source === 'model') &&
    typeof text === 'string' &&
    typeof atMillis === 'number';
  return isWhole ? { project, host, session, turn, title, source, text, atMillis } : undefined;
}
