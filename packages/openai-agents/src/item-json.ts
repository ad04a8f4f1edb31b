/** History items as text, so that everything a model may write is kept exactly. */
import type { AgentInputItem } from '@openai/agents-core';

/** Stands for bytes in JSON; an object that looks like it gets one more `$`. */
const BYTES_KEY = /^\$+bytes$/;

/**
 * Writes items as JSON text. Bytes are kept as base64, members that are undefined are left out.
 * @throws {TypeError} for values that JSON can't hold: dates, maps, functions, cycles, NaN.
 */
export function writeItems(items: readonly AgentInputItem[]): string {
  return JSON.stringify(plainValue(items, new Set()));
}

/** Reads what {@link writeItems} wrote. */
export function readItems(text: string): AgentInputItem[] {
  return JSON.parse(text, (_key, value: unknown) => withBytes(value)) as AgentInputItem[];
}

/** Returns a text that is the same for items that are the same. */
export function canonicalItems(items: readonly unknown[]): string {
  return JSON.stringify(plainValue(items, new Set(), true));
}

function plainValue(value: unknown, above: Set<object>, isSorted = false): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object') throw new TypeError('JSON cannot hold this value.');
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
  if (above.has(value)) throw new TypeError('JSON cannot hold a cycle.');
  above.add(value);
  const plain = Array.isArray(value)
    ? Array.from(value, (each: unknown) => plainValue(each, above, isSorted))
    : plainObject(value, above, isSorted);
  above.delete(value);
  return plain;
}

function plainObject(value: object, above: Set<object>, isSorted: boolean): unknown {
  if (!isPlainObject(value)) throw new TypeError('JSON holds plain objects alone.');
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  if (isSorted) members.sort(([one], [other]) => (one < other ? -1 : 1));
  const isLikeBytes = members.length === 1 && members.every(([key]) => BYTES_KEY.test(key));
  return Object.fromEntries(
    members.map(([key, each]) => [
      isLikeBytes ? `$${key}` : key,
      plainValue(each, above, isSorted),
    ]),
  );
}

/** Returns whether an object is of no class. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function withBytes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members: readonly [string, unknown][] = Object.entries(value);
  const [[only, inner] = ['', undefined]] = members;
  if (members.length !== 1 || !BYTES_KEY.test(only)) return value;
  return only === '$bytes'
    ? new Uint8Array(Buffer.from(String(inner), 'base64'))
    : { [only.slice(1)]: inner };
}
