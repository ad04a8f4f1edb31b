/** JSON documents that can contain text that no JSON library writes. */

/** Text that is inserted into a document unchanged. */
export class Verbatim {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A document before encoding. */
export type Json = null | boolean | number | string | Verbatim | Json[] | JsonObject;

/** An object of such a document. */
export interface JsonObject {
  [name: string]: Json;
}

/** Returns whether a value is an object with members. */
export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Verbatim)
  );
}

/** Encodes a document. */
export function jsonText(value: Json): string {
  if (value instanceof Verbatim) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  return isObject(value) ? `{${membersText(value)}}` : JSON.stringify(value);
}

/** Encodes the members of an object, without the braces. */
export function membersText(object: JsonObject): string {
  return Object.entries(object)
    .map(([name, value]) => `${JSON.stringify(name)}:${jsonText(value)}`)
    .join(',');
}

/** Returns the value at a path of names, joined by dots, or `undefined`. */
export function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((found, name) => (Object(found) as Record<string, unknown>)[name], value);
}

/**
 * Replaces the value at a path if the document has a member there. A path that ends in `!` adds a
 * missing member, and removes the member for `null` and `undefined`.
 */
export function replaceAt(document: unknown, path: string, value: unknown): void {
  const isForced = path.endsWith('!');
  const names = (isForced ? path.slice(0, -1) : path).split('.');
  const last = names.pop() ?? '';
  const parent = names.length === 0 ? document : valueAt(document, names.join('.'));
  if (!isObject(parent)) return;
  if (isForced && (value === null || value === undefined)) Reflect.deleteProperty(parent, last);
  else if (value !== undefined && (isForced || Object.hasOwn(parent, last))) {
    // Copied, because later changes of the document must not affect the source of the value.
    parent[last] = structuredClone(value) as Json;
  }
}
