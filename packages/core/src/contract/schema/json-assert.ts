/**
 * Checks the values of embedded callers by the rules for JSON texts, and names the member at fault
 * in a document that JSON cannot write.
 */
import { AgentkeepError, type RefusedMember } from '../errors/agentkeep-error.js';
import { DOCUMENT_BYTES_MAX } from '../limits.js';
import {
  assertLevel,
  EXACT_NUMBER,
  finite,
  InvalidJsonError,
  JSON_DEPTH_MAX,
  type JsonObject,
  type JsonValue,
  setMember,
  wellFormed,
} from './json-value.js';
import { pathTo } from './refused-member.js';

/** The values and text units that are still allowed. */
interface Budget {
  left: number;
}

/**
 * Checks that a value in memory is JSON: null, booleans, finite numbers, well-formed strings,
 * arrays without holes, and plain objects (made by `{}` or `Object.create(null)`, in any realm)
 * whose members are enumerable data properties named by strings. A member whose value is
 * `undefined` counts as left out; an element of an array can't be. Depth is bounded as in
 * `parseJson`, so a cycle is refused. Values and text units are bounded by `unitsMax`, which also
 * stops graphs of shared objects that expand without end. A body of that many bytes can't hold
 * more; default: 65,536.
 *
 * @returns The same value; only where members were left out, a copy without them.
 * @throws {InvalidJsonError} When the value is anything else.
 */
export function assertJson(value: unknown, unitsMax: number = DOCUMENT_BYTES_MAX): JsonValue {
  return checkValue(value, 1, { left: unitsMax });
}

function checkValue(value: unknown, level: number, budget: Budget): JsonValue {
  spend(budget, 1);
  switch (typeof value) {
    case 'string':
      spend(budget, value.length);
      return wellFormed(value);
    case 'number':
      return finite(value);
    case 'boolean':
      return value;
    case 'object':
      if (value === null) return null;
      assertLevel(level);
      if (Array.isArray(value)) return checkArray(value, level, budget);
      return checkObject(value, level, budget);
    case 'undefined':
    case 'bigint':
    case 'symbol':
    case 'function':
      throw new InvalidJsonError('A value is none that JSON can write.');
  }
}

function checkArray(array: unknown[], level: number, budget: Budget): JsonValue[] {
  // The prototype of the arrays of each realm is an array itself; that of a class isn't.
  if (!Array.isArray(Object.getPrototypeOf(array))) {
    throw new InvalidJsonError('An array is not plain.');
  }
  if (Reflect.ownKeys(array).length !== array.length + 1) {
    throw new InvalidJsonError('An array has holes, or members beside its elements.');
  }
  let copy: JsonValue[] | undefined;
  for (let index = 0; index < array.length; index++) {
    const element = array[index];
    // The undefined of a hole is refused.
    const checked = checkValue(element, level + 1, budget);
    if (copy === undefined && checked !== element) copy = array.slice(0, index) as JsonValue[];
    copy?.push(checked);
  }
  return copy ?? (array as JsonValue[]);
}

function checkObject(object: object, level: number, budget: Budget): JsonObject {
  const prototype: unknown = Object.getPrototypeOf(object);
  // Objects of other realms have other prototypes, as under some test runners.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new InvalidJsonError('An object is not plain.');
  }
  const names = Reflect.ownKeys(object);
  let copy: JsonObject | undefined;
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    const member = dataMember(object, name);
    if (member === undefined) {
      copy ??= membersBefore(object, names, index);
      continue;
    }
    spend(budget, name.length);
    const value = checkValue(member, level + 1, budget);
    wellFormed(name);
    if (copy === undefined && value !== member) copy = membersBefore(object, names, index);
    if (copy !== undefined) setMember(copy, name, value);
  }
  return copy ?? (object as JsonObject);
}

/** Copies the members before an index, which have been checked and are all defined. */
function membersBefore(
  object: object,
  names: readonly (string | symbol)[],
  end: number,
): JsonObject {
  const copy: JsonObject = {};
  for (const name of names.slice(0, end) as string[]) {
    setMember(copy, name, (object as JsonObject)[name] ?? null);
  }
  return copy;
}

function spend(budget: Budget, units: number): void {
  budget.left -= units;
  if (budget.left >= 0) return;
  throw new InvalidJsonError('A value is larger than any request may be.', { isTooLarge: true });
}

/** Returns the value of a member that is an enumerable data property named by a string. */
function dataMember(object: object, name: string | symbol): unknown {
  const property = Object.getOwnPropertyDescriptor(object, name);
  if (typeof name === 'symbol' || property?.enumerable !== true || !('value' in property)) {
    throw new InvalidJsonError('An object has a member that is no plain value.');
  }
  return property.value;
}

const PLAIN =
  'a plain JSON value: a text, a finite number, true, false, null, an array or an object';

/**
 * Returns the document of a program in this process or behind a network, as `assertJson` checks it,
 * so that nothing becomes another value on the way.
 *
 * @throws {AgentkeepError} `invalid_request` with the member that JSON cannot write.
 */
export function jsonDocument(document: unknown, unitsMax: number): JsonValue {
  try {
    return assertJson(document, unitsMax);
  } catch (cause) {
    if (!(cause instanceof InvalidJsonError)) throw cause;
    const members = [cause.member ?? jsonFault(document, unitsMax)];
    throw new AgentkeepError('invalid_request', { members, cause });
  }
}

/** Returns the member at fault of a value that `assertJson` refuses, but not for its depth. */
function jsonFault(value: unknown, unitsMax: number): RefusedMember {
  const keys: string[] = [];
  let at = value;
  // A cycle can be too large before it is too deep, and has no end.
  while (keys.length < JSON_DEPTH_MAX) {
    const inner = childrenOf(at).find(([, child]) => refusalOf(child, unitsMax) !== undefined);
    if (inner === undefined) break;
    keys.push(inner[0]);
    at = inner[1];
  }
  const isLarge = refusalOf(at, unitsMax)?.isTooLarge === true;
  const kind = typeof at === 'number' ? EXACT_NUMBER : PLAIN;
  const expected = isLarge ? `at most ${unitsMax} bytes of JSON in all` : kind;
  return { path: pathTo(value, keys), expected };
}

function childrenOf(value: unknown): [key: string, child: unknown][] {
  const isPlain =
    Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
  return isPlain ? Object.entries(value as object) : [];
}

function refusalOf(value: unknown, unitsMax: number): InvalidJsonError | undefined {
  // What is left out is no fault.
  if (value === undefined) return undefined;
  try {
    assertJson(value, unitsMax);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidJsonError) return error;
    throw error;
  }
}
