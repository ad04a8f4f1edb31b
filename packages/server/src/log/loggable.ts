/**
 * Turns any value into one that is safe and cheap to log: bounded, without secrets, and never
 * throwing on the way.
 * @module
 */
import { redactSecrets } from '@agentkeep/core';

const TEXT_CHARS_MAX = 8_192;
const ENTRIES_MAX = 64;
const DEPTH_MAX = 6;

/** A value that JSON can say. */
export type Loggable = string | number | boolean | null | Loggable[] | { [name: string]: Loggable };

/** The loggable form of a value; what cannot be read is named in its place. */
export function loggable(value: unknown, depth = 0): Loggable {
  switch (typeof value) {
    case 'string':
      return loggableText(value);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
      return value;
    case 'object':
      return value === null ? null : loggableObject(value, depth);
    case 'bigint':
    case 'symbol':
    case 'function':
    case 'undefined':
      return loggableText(String(value));
  }
}

/** A text without secrets and of bounded length. */
export function loggableText(text: string): string {
  if (text.length <= TEXT_CHARS_MAX) return redactSecrets(text);
  // What is cut off may be the end of a secret, so the cut comes second.
  const kept = redactSecrets(text.slice(0, 2 * TEXT_CHARS_MAX)).slice(0, TEXT_CHARS_MAX);
  return `${kept}… (${text.length} characters)`;
}

function loggableObject(value: object, depth: number): Loggable {
  if (depth >= DEPTH_MAX) return '[deeper]';
  try {
    if (value instanceof Error) return loggableError(value, depth);
    if (value instanceof Date) return String(value.getTime());
    if (Array.isArray(value)) return loggableArray(value, depth);
    return loggableMembers(Object.entries(value), depth);
  } catch {
    return '[unreadable]';
  }
}

function loggableArray(values: readonly unknown[], depth: number): Loggable[] {
  const kept = values.slice(0, ENTRIES_MAX).map((each) => loggable(each, depth + 1));
  if (values.length > ENTRIES_MAX) kept.push(`… (${values.length} entries)`);
  return kept;
}

function loggableError(error: Error, depth: number): Loggable {
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? { code: error.code } : {};
  const reason = cause === undefined ? {} : { cause };
  return loggableMembers(Object.entries({ name, message, ...code, stack, ...reason }), depth);
}

function loggableMembers(members: readonly [string, unknown][], depth: number): Loggable {
  const kept: Record<string, Loggable> = {};
  for (const [name, value] of members.slice(0, ENTRIES_MAX)) {
    if (value === undefined) continue;
    // Defined, not assigned, so that a member named `__proto__` is one.
    Object.defineProperty(kept, loggableText(name), {
      value: loggable(value, depth + 1),
      enumerable: true,
    });
  }
  return kept;
}
