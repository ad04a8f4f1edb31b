/** Copies JSON values, several times faster than `structuredClone`. */
import { type JsonObject, type JsonValue, setMember } from './json-value.js';

/** Returns a deep copy of a value that JSON represents directly. */
export function copyJson<T>(value: T): T {
  return copyOf(value as JsonValue) as T;
}

function copyOf(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy: JsonObject = {};
  for (const name of Object.keys(value)) setMember(copy, name, copyOf(value[name] ?? null));
  return copy;
}
