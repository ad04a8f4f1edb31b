/**
 * What a session said and was shown, as digests of its texts: lines that hooks and helper append.
 */
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from './digest.js';

const AGE_MAX_MS = 14 * 24 * 3_600_000;

/** Returns the digest of what is said, without regard to spaces. */
export function digestOfSaid(text: string): string {
  return digestOf(text.split(/\s/).filter(Boolean).join(' '));
}

/** Returns the digests of a session. */
export function seenIn(sessions: string, session: string): ReadonlySet<string> {
  try {
    return new Set(readFileSync(fileOf(sessions, session), 'utf8').split('\n'));
  } catch {
    return new Set();
  }
}

/** Adds digests to a session. */
export function addSeen(sessions: string, session: string, digests: readonly string[]): void {
  if (digests.length === 0) return;
  appendFileSync(fileOf(sessions, session), `${digests.join('\n')}\n`, { mode: 0o600 });
}

/** Removes the files of a folder that nothing was added to for two weeks. */
export function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const atMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - atMs > AGE_MAX_MS) rmSync(path, { force: true });
  }
}

function fileOf(sessions: string, session: string): string {
  return join(sessions, digestOf(session));
}
