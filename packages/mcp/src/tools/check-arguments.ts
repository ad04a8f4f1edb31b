/** Checks arguments against the schema of a tool, and names each that is wrong. */
import type { RefusedMember } from '@agentkeep/client';
import type { JsonSchema } from '../json-schema.js';
import { nearestName } from './nearest-name.js';

/** Names that an error repeats. Callers choose names, so it leaves out all others. */
const SHOWN_NAME = /^[\w-]{1,64}$/;

/** Most arguments that a refusal lists. The rest is not examined. */
const REFUSED_MAX = 16;

/** Returns the first arguments that a schema refuses; none if it accepts all. */
export function refusedArguments(schema: JsonSchema, given: unknown): RefusedMember[] {
  const found: RefusedMember[] = [];
  for (const refused of refusedIn(schema, given, '')) {
    found.push(refused);
    if (found.length === REFUSED_MAX) break;
  }
  return found;
}

function* refusedIn(schema: JsonSchema, given: unknown, path: string): Generator<RefusedMember> {
  const expected = expectedOf(schema);
  if (expected !== undefined && !accepts(schema, given)) yield { path, expected };
  else if (isObject(given)) yield* refusedMembers(schema, given, path);
  else if (Array.isArray(given) && schema.items !== undefined) {
    for (const [index, item] of given.entries()) {
      yield* refusedIn(schema.items, item, `${path}[${index}]`);
    }
  }
}

function* refusedMembers(
  { properties = {}, required = [], additionalProperties = true }: JsonSchema,
  given: Readonly<Record<string, unknown>>,
  path: string,
): Generator<RefusedMember> {
  const pathOf = (name: string): string => (path === '' ? name : `${path}.${name}`);
  for (const [name, value] of Object.entries(given)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema !== undefined) {
      // Whether an optional member may be null is checked in core.
      const isLeftOut = (value ?? undefined) === undefined && !required.includes(name);
      if (!isLeftOut) yield* refusedIn(schema, value, pathOf(name));
    } else if (!additionalProperties) {
      const hint = hintFor(name, Object.keys(properties));
      yield SHOWN_NAME.test(name)
        ? { path: pathOf(name), expected: `no such member ${hint}` }
        : { path, expected: 'known members only' };
    }
  }
  const missing = required.filter((name) => !Object.hasOwn(given, name));
  const expected = 'a value, since this member is required';
  yield* missing.map((name) => ({ path: pathOf(name), expected }));
}

function hintFor(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return near === undefined ? `(it has: ${known.join(', ')})` : `(did you mean \`${near}\`?)`;
}

const NAMES_OF_TYPES = {
  array: 'an array',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  object: 'an object',
  string: 'a string',
} as const;

function expectedOf({ type, enum: values, minimum, maximum }: JsonSchema): string | undefined {
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' or ');
  if (type === undefined) return undefined;
  const from = minimum === undefined ? '' : ` from ${minimum}`;
  const to = maximum === undefined ? '' : ` to ${maximum}`;
  return `${NAMES_OF_TYPES[type]}${from}${to}`;
}

function accepts({ type, enum: values, minimum, maximum }: JsonSchema, given: unknown): boolean {
  if (values !== undefined) return typeof given === 'string' && values.includes(given);
  if (type === 'array') return Array.isArray(given);
  if (type === 'object') return isObject(given);
  if (type !== 'integer' && type !== 'number') return typeof given === type;
  if (typeof given !== 'number' || (type === 'integer' && !Number.isInteger(given))) return false;
  return given >= (minimum ?? -Infinity) && given <= (maximum ?? Infinity);
}

function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}
