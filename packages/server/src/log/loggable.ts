/** Makes any value safe and cheap to log: bounded and without secrets. Never throws. */
import { cutText } from '@agentkeep/core/clients';
import { redactSecrets } from '@agentkeep/core/operator';

const TEXT_CHARS_MAX = 8_192;
const ENTRIES_MAX = 64;
const DEPTH_MAX = 6;

/** A value that JSON can represent. */
export type Loggable = string | number | boolean | null | Loggable[] | { [name: string]: Loggable };

/** Returns the loggable form of a value, with a marker instead of unreadable parts. */
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

/** Returns a text without secrets and of bounded length. */
export function loggableText(text: string): string {
  if (text.length <= TEXT_CHARS_MAX) return redactSecrets(text);
  // Redact before cutting: the cut could split a secret and hide it from redaction.
  const kept = cutText(redactSecrets(text.slice(0, 2 * TEXT_CHARS_MAX)), TEXT_CHARS_MAX);
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
    // Defined rather than assigned, so that `__proto__` is an ordinary member.
    Object.defineProperty(kept, loggableText(name), {
      value: loggable(value, depth + 1),
      enumerable: true,
    });
  }
  return kept;
}
