/**
 * What JSON values are here, and the error for what is none.
 * @module
 */

/** Deepest level at which a value may stand; the outermost value stands at level 1. */
export const JSON_DEPTH_MAX = 64;

/** A value that JSON can write: every number finite, every string well-formed Unicode. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** An object of JSON values; all members, `__proto__` too, are properties of its own. */
export interface JsonObject {
  [member: string]: JsonValue;
}

/** The refusal of a text or value that is not strict JSON. Its message never quotes the input. */
export class InvalidJsonError extends Error {
  override readonly name = 'InvalidJsonError';
}

/**
 * Passes a number on.
 * @throws {InvalidJsonError} When it is not finite.
 */
export function finite(number: number): number {
  if (Number.isFinite(number)) return number;
  throw new InvalidJsonError('A number is not finite as a double.');
}

/**
 * Passes a string on.
 * @throws {InvalidJsonError} When it holds a lone surrogate.
 */
export function wellFormed(text: string): string {
  if (text.isWellFormed()) return text;
  throw new InvalidJsonError('A string holds a lone surrogate.');
}

/**
 * Lets a level pass.
 * @throws {InvalidJsonError} When an object or array at this level is nested too deep.
 */
export function assertLevel(level: number): void {
  if (level > JSON_DEPTH_MAX) throw new InvalidJsonError('A value is nested too deep.');
}

/** Sets a member as a property of the object's own, whatever its name; the last value wins. */
export function setMember(object: JsonObject, name: string, value: JsonValue): void {
  if (name === '__proto__') {
    const attributes = { value, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(object, name, attributes);
  } else {
    object[name] = value;
  }
}
