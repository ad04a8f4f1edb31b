/**
 * JSON files that only their user may read, replaced whole so that a kill leaves the old or new
 * one.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Returns the members of the object in a file; `undefined` if there is none, or no object in it.
 */
export function readObject(path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return objectIn(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the members of the object that a JSON text holds; `undefined` for any other text. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Returns the members of a value that is an object; `undefined` for any other. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}

/** Replaces a file in one step. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}
