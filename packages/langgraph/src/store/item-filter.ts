/** The filter of a search: conditions on the members of a value, all of which must hold. */
import type { SearchFilterInput } from '@agentkeep/client';

/** Conditions by member, as a search gives them. */
export type ItemFilter = Readonly<Record<string, unknown>>;

type MemberCondition = NonNullable<SearchFilterInput['members']>[number];

/** A condition on the value at a path. */
interface Comparison {
  readonly path: readonly string[];
  readonly operator: string;
  readonly operand: unknown;
}

/** Bounds of a search of the agent: conditions, values of a list, and members of a path. */
const CONDITIONS_MAX = 16;
const VALUES_MAX = 100;
const PATH_MAX = 16;

const operators: Readonly<Record<string, (value: unknown, operand: unknown) => boolean>> = {
  $eq: (value, operand) => value === operand,
  $ne: (value, operand) => value !== operand,
  $gt: (value, operand) => Number(value) > Number(operand),
  $gte: (value, operand) => Number(value) >= Number(operand),
  $lt: (value, operand) => Number(value) < Number(operand),
  $lte: (value, operand) => Number(value) <= Number(operand),
  $in: (value, operand) => Array.isArray(operand) && operand.includes(value),
  $nin: (value, operand) => !Array.isArray(operand) || !operand.includes(value),
  $exists: (value, operand) => (value !== undefined) === Boolean(operand),
};

/** Whether a value meets a filter. */
export function meets(value: unknown, filter: ItemFilter): boolean {
  return comparisonsOf(filter).every(({ path, operator, operand }) =>
    operators[operator]?.(valueAt(value, path), operand),
  );
}

/**
 * Returns the part of a filter that the agent can decide: comparisons with texts, booleans, null
 * and finite numbers. It excludes nothing that meets the filter; {@link meets} decides the rest.
 */
export function membersOf(filter: ItemFilter): MemberCondition[] {
  return comparisonsOf(filter).flatMap(decidable).slice(0, CONDITIONS_MAX);
}

function decidable({ path, operator, operand }: Comparison): MemberCondition[] {
  // A name with a dot may be a path or the name of a member.
  const isPlain = path.every((name) => name.isWellFormed() && !name.includes('.'));
  if (!isPlain || path.length > PATH_MAX) return [];
  const at = { of: 'data' as const, path: [...path] };
  if (operator === '$exists') return [{ ...at, exists: Boolean(operand) }];
  if (operator === '$eq' && isScalar(operand)) return [{ ...at, equals: operand }];
  if (operator === '$ne' && isScalar(operand)) return [{ ...at, not_equals: operand }];
  if (!isListOfScalars(operand)) return [];
  if (operator === '$in') return [{ ...at, one_of: operand }];
  return operator === '$nin' ? [{ ...at, none_of: operand }] : [];
}

/**
 * Returns the comparisons of a filter. A condition is operators, or conditions on the members of an
 * object, or a value to be equal to.
 */
function comparisonsOf(filter: ItemFilter, path: readonly string[] = []): Comparison[] {
  return Object.entries(filter).flatMap(([member, condition]): Comparison[] => {
    const at = [...path, member];
    if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) {
      return [{ path: at, operator: '$eq', operand: condition }];
    }
    const entries = Object.entries(condition as ItemFilter);
    return entries.every(([name]) => Object.hasOwn(operators, name))
      ? entries.map(([operator, operand]) => ({ path: at, operator, operand }))
      : comparisonsOf(condition as ItemFilter, at);
  });
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((found, name) => {
    const member = memberOf(found, name);
    // If no member has the whole name, dots divide it into a path.
    if (member !== undefined || !name.includes('.')) return member;
    return name.split('.').reduce(memberOf, found);
  }, value);
}

/** Reads a member of an object; inherited members don't count. */
function memberOf(value: unknown, member: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, member) ? (value as Record<string, unknown>)[member] : undefined;
}

type Scalar = string | number | boolean | null;

function isScalar(value: unknown): value is Scalar {
  if (typeof value === 'string') return value.isWellFormed();
  return value === null || typeof value === 'boolean' || Number.isFinite(value);
}

function isListOfScalars(value: unknown): value is Scalar[] {
  return (
    Array.isArray(value) && value.length > 0 && value.length <= VALUES_MAX && value.every(isScalar)
  );
}
