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
