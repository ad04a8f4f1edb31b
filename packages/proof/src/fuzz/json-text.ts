/**
 * JSON documents that can hold what no JSON library writes.
 * @module
 */

/** A piece of text that stands in a document as it is. */
export class Verbatim {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A document that is not written yet. */
export type Json = null | boolean | number | string | Verbatim | Json[] | JsonObject;

/** An object of such a document. */
export interface JsonObject {
  [name: string]: Json;
}

/** Whether a value is an object with members. */
export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Verbatim)
  );
}

/** Writes a document. */
export function jsonText(value: Json): string {
  if (value instanceof Verbatim) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  return isObject(value) ? `{${membersText(value)}}` : JSON.stringify(value);
}

/** The members of an object, without the braces. */
export function membersText(object: JsonObject): string {
  return Object.entries(object)
    .map(([name, value]) => `${JSON.stringify(name)}:${jsonText(value)}`)
    .join(',');
}

/** The value at a path of names, joined by dots; `undefined` where there is none. */
export function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((found, name) => (Object(found) as Record<string, unknown>)[name], value);
}

/**
 * Puts a value where a path leads, if the document has a member there. A path that ends in `!` puts
 * it in whether or not it is there, and takes the member out for `null` and `undefined`.
 */
export function replaceAt(document: unknown, path: string, value: unknown): void {
  const isForced = path.endsWith('!');
  const names = (isForced ? path.slice(0, -1) : path).split('.');
  const last = names.pop() ?? '';
  const parent = names.length === 0 ? document : valueAt(document, names.join('.'));
  if (!isObject(parent)) return;
  if (isForced && (value === null || value === undefined)) Reflect.deleteProperty(parent, last);
  else if (value !== undefined && (isForced || Object.hasOwn(parent, last))) {
    // A document is changed later on; where the value came from must not change with it.
    parent[last] = structuredClone(value) as Json;
  }
}
