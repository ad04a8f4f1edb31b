/** Conditions on values of the free JSON of a record. */
import { isJsonObject, type JsonValue } from '../../../../contract/schema/json-value.js';
import type { RecordPayload } from '../../documents/schema.js';
import type { MemberFilter } from '../documents/schema.js';

/** Decides on the value of a member; `undefined` means that the member is missing. */
type Condition = (value: JsonValue | undefined) => boolean;

/** Returns a test of the value of one member of the free JSON of records. */
export function memberTest(filter: MemberFilter): Condition {
  const conditions = conditionsOf(filter);
  return (value) => conditions.every((holds) => holds(value));
}

/** Returns the value of that member. */
export function memberValue(
  { metadata, content }: RecordPayload,
  { of, path }: MemberFilter,
): JsonValue | undefined {
  return valueAt((of === 'metadata' ? metadata : content.data) as JsonValue, path);
}

function conditionsOf(filter: MemberFilter): readonly Condition[] {
  const { exists, equals, not_equals, above, at_least, below, at_most } = filter;
  const { one_of, none_of, contains } = filter;
  const conditions: (Condition | false)[] = [
    exists !== undefined && ((value) => (value !== undefined) === exists),
    equals !== undefined && equalTo(equals),
    not_equals !== undefined && not(equalTo(not_equals)),
    above !== undefined && compared(above, (order) => order > 0),
    at_least !== undefined && compared(at_least, (order) => order >= 0),
    below !== undefined && compared(below, (order) => order < 0),
    at_most !== undefined && compared(at_most, (order) => order <= 0),
    one_of !== undefined && anyOf(one_of.map(equalTo)),
    none_of !== undefined && not(anyOf(none_of.map(equalTo))),
    contains !== undefined && containing(equalTo(contains)),
  ];
  return conditions.filter((condition) => condition !== false);
}

/** Walks through own members of objects only. */
function valueAt(root: JsonValue, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const name of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function not(condition: Condition): Condition {
  return (value) => !condition(value);
}

function anyOf(conditions: readonly Condition[]): Condition {
  return (value) => conditions.some((holds) => holds(value));
}

function containing(condition: Condition): Condition {
  return (value) => Array.isArray(value) && value.some((item) => condition(item));
}

function equalTo(wanted: unknown): Condition {
  return (value) => value !== undefined && isSameJson(value, wanted as JsonValue);
}

/**
 * Returns whether values are equal as JSON: the order of the members of objects doesn't matter,
 * that of arrays does. It stops at the first difference, so `wanted` bounds its time.
 */
function isSameJson(value: JsonValue, wanted: JsonValue): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(wanted) || Array.isArray(value)) {
    if (!Array.isArray(wanted) || !Array.isArray(value)) return false;
    if (wanted.length !== value.length) return false;
    return wanted.every((item, index) => isSameJson(value[index] as JsonValue, item));
  }
  const names = Object.keys(wanted);
  for (const name of names) {
    if (!Object.hasOwn(value, name)) return false;
    if (!isSameJson(value[name] as JsonValue, wanted[name] as JsonValue)) return false;
  }
  return hasAtMost(value, names.length);
}

/** Returns whether an object has no more members, without counting further. */
function hasAtMost(value: object, most: number): boolean {
  let count = 0;
  for (const name in value) {
    if (Object.hasOwn(value, name)) count += 1;
    if (count > most) return false;
  }
  return true;
}

/** Numbers are compared with numbers and texts with texts, by UTF-16 units. */
function compared(bound: string | number, holds: (order: number) => boolean): Condition {
  return (value) => {
    if (typeof value !== typeof bound) return false;
    const other = value as string | number;
    return holds(other === bound ? 0 : other < bound ? -1 : 1);
  };
}
