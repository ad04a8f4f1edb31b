/** Checks arguments against the schema of a tool, and names each that is wrong. */
import type { RefusedMember } from '@agentkeep/client';
import type { JsonSchema } from '../json-schema.js';
import { nearestName } from './nearest-name.js';

/** Names that an error repeats. Callers choose names, so it leaves out all others. */
const SHOWN_NAME = /^[\w-]{1,64}$/;

/** Returns the arguments that a schema refuses. Optional members may be null; core decides then. */
export function refusedArguments(schema: JsonSchema, given: unknown, path = ''): RefusedMember[] {
  const expected = expectedOf(schema);
  if (expected !== undefined && !accepts(schema, given)) return [{ path, expected }];
  if (Array.isArray(given)) {
    const { items } = schema;
    if (items === undefined) return [];
    return given.flatMap((item, index) => refusedArguments(items, item, `${path}[${index}]`));
  }
  return isObject(given) ? refusedMembers(schema, given, path) : [];
}

function refusedMembers(
  { properties = {}, required = [], additionalProperties = true }: JsonSchema,
  given: Readonly<Record<string, unknown>>,
  path: string,
): RefusedMember[] {
  const pathOf = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const known = Object.keys(properties);
  const found = Object.entries(given).flatMap(([name, value]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema !== undefined) {
      const isLeftOut = (value ?? undefined) === undefined && !required.includes(name);
      return isLeftOut ? [] : refusedArguments(schema, value, pathOf(name));
    }
    if (additionalProperties) return [];
    if (!SHOWN_NAME.test(name)) return [{ path, expected: 'known members only' }];
    return [{ path: pathOf(name), expected: `no such member ${hintFor(name, known)}` }];
  });
  const missing = required.filter((name) => !Object.hasOwn(given, name));
  const expected = 'a value, since this member is required';
  return [...found, ...missing.map((name) => ({ path: pathOf(name), expected }))];
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
