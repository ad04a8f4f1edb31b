/** Generates values that a schema of the contract allows. */
import fastCheck from 'fast-check';
import type { Chooser } from './chooser.js';
import { nameOf, resolved, type Schema, type Schemas } from './contract-operations.js';
import type { Json, JsonObject } from './json-text.js';
import { freshText, textOfBytes } from './texts.js';

/** Returns a value for a member or a named schema whose rules a schema can't express. */
export type Hint = (chooser: Chooser, schema: Schema) => Json | undefined;

/** Dependencies of generated values. */
export interface Making {
  readonly chooser: Chooser;
  readonly schemas: Schemas;
  /** Hints by name of a member, or of a schema of the contract. */
  readonly hints: Readonly<Record<string, Hint>>;
}

/** Probability that an optional member is present. */
const OPTIONAL_SHARE = 0.4;
const PATTERN_SAMPLES = 64;
const LONG_SHARE = 0.01;

/** Returns a value that a schema allows, for the member `name`. */
export function valueOf(making: Making, schema: Schema, name = ''): Json {
  const { chooser, hints } = making;
  const hint = hints[name] ?? (schema.$ref === undefined ? undefined : hints[nameOf(schema.$ref)]);
  const hinted = hint?.(chooser, schema);
  if (hinted !== undefined) return hinted;
  const known = resolved(making.schemas, schema);
  if (known.const !== undefined) return known.const as Json;
  if (known.enum !== undefined) return chooser.pick(known.enum) as Json;
  const branches = known.anyOf ?? known.oneOf;
  if (branches !== undefined) return valueOf(making, chooser.pick(branches), name);
  return typedValue(making, known);
}

/** Generators by type of a schema. */
const MAKERS: Readonly<Record<string, (making: Making, schema: Schema) => Json>> = {
  object: objectOf,
  array: arrayOf,
  string: ({ chooser }, schema) => textOf(chooser, schema),
  integer: ({ chooser }, schema) => integerOf(chooser, schema),
  number: ({ chooser }, schema) => numberOf(chooser, schema),
  boolean: ({ chooser }) => chooser.chance(0.5),
  null: () => null,
};

function typedValue(making: Making, schema: Schema): Json {
  const make = schema.type === undefined ? undefined : MAKERS[schema.type];
  return make === undefined ? anything(making.chooser) : make(making, schema);
}

function objectOf(making: Making, schema: Schema): JsonObject {
  const { chooser } = making;
  const made: JsonObject = {};
  if (schema.properties === undefined) return mapOf(making, schema);
  for (const [name, member] of Object.entries(schema.properties)) {
    if (member.not !== undefined) continue;
    const isThere = schema.required?.includes(name) === true || chooser.chance(OPTIONAL_SHARE);
    if (isThere) made[name] = valueOf(making, member, name);
  }
  return made;
}

function mapOf(making: Making, { additionalProperties, maxProperties = 3 }: Schema): JsonObject {
  const { chooser } = making;
  const values = typeof additionalProperties === 'object' ? additionalProperties : {};
  const count = chooser.between(0, Math.min(3, maxProperties));
  return Object.fromEntries(
    Array.from({ length: count }, () => [chooser.hex(6), valueOf(making, values)]),
  );
}

function arrayOf(making: Making, schema: Schema): Json[] {
  const { minItems = 0, maxItems = 4, items = {} } = schema;
  const most = Math.max(minItems, Math.min(maxItems, 4));
  const length = making.chooser.between(minItems, most);
  const made = Array.from({ length }, () => valueOf(making, items));
  if (schema.uniqueItems !== true) return made;
  return [...new Map(made.map((item) => [JSON.stringify(item), item])).values()];
}

function textOf(chooser: Chooser, schema: Schema): string {
  if (schema.format === 'uuid') return chooser.uuid();
  if (schema.format === 'date-time') return new Date(chooser.between(1.8e12, 2e12)).toISOString();
  if (schema.pattern !== undefined) return chooser.pick(samplesOf(schema.pattern));
  const { maxLength } = schema;
  if (maxLength !== undefined && maxLength <= 2_048 && chooser.chance(LONG_SHARE)) {
    return textOfBytes(maxLength);
  }
  return freshText(chooser, maxLength);
}

const samples = new Map<string, readonly string[]>();

function samplesOf(pattern: string): readonly string[] {
  let known = samples.get(pattern);
  if (known === undefined) {
    const texts = fastCheck.stringMatching(new RegExp(pattern));
    known = fastCheck.sample(texts, { seed: 1, numRuns: PATTERN_SAMPLES });
    samples.set(pattern, known);
  }
  return known;
}

function integerOf(chooser: Chooser, schema: Schema): number {
  const { minimum = -1_000, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (chooser.chance(0.1)) return chooser.pick([minimum, maximum]);
  return chooser.between(minimum, Math.min(maximum, minimum + 1_000));
}

function numberOf(chooser: Chooser, schema: Schema): number {
  const least = schema.minimum ?? schema.exclusiveMinimum ?? 0;
  const most = schema.maximum ?? schema.exclusiveMaximum ?? 1;
  const within = least + chooser.fraction() * Math.min(most - least, 1);
  return within === schema.exclusiveMinimum ? (least + most) / 2 : within;
}

const FREE_VALUES: readonly Json[] = [
  null,
  true,
  1.5,
  -0,
  5e-324,
  'text',
  [],
  [1, [2, [3]]],
  { a: { b: null } },
  { constructor: 1, toString: 'x' },
];

function anything(chooser: Chooser): Json {
  return structuredClone(chooser.pick(FREE_VALUES));
}
