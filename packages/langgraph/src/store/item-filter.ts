/** The filter of a search: conditions on the members of a value, all of which must hold. */
import type { SearchFilterInput } from '@agentkeep/client';

/** Conditions by member, as a search gives them. */
export type ItemFilter = Readonly<Record<string, unknown>>;

type MemberCondition = NonNullable<SearchFilterInput['members']>[number];

/** Conditions that a search of the agent takes, and values of a list of one. */
const CONDITIONS_MAX = 16;
const VALUES_MAX = 100;

const operators: Readonly<Record<string, (value: unknown, operand: unknown) => boolean>> = {
  $eq: (value, operand) => value === operand,
  $ne: (value, operand) => value !== operand,
  $gt: (value, operand) => Number(value) > Number(operand),
  $gte: (value, operand) => Number(value) >= Number(operand),
  $lt: (value, operand) => Number(value) < Number(operand),
  $lte: (value, operand) => Number(value) <= Number(operand),
  $in: (value, operand) => Array.isArray(operand) && operand.includes(value),
  $nin: (value, operand) => !Array.isArray(operand) || !operand.includes(value),
};

/** Whether a value meets a filter. */
export function meets(value: unknown, filter: ItemFilter): boolean {
  return Object.entries(filter).every(([member, condition]) => {
    const found = memberOf(value, member);
    return comparisonsOf(condition).every(([operator, operand]) =>
      (operators[operator] ?? operators['$eq'])?.(found, operand),
    );
  });
}

/**
 * Returns what the agent can decide of a filter: comparisons with texts, booleans, null and finite
 * numbers. It leaves out nothing that meets the filter; {@link meets} decides about the rest.
 */
export function membersOf(filter: ItemFilter): MemberCondition[] {
  const conditions = Object.entries(filter).flatMap(([member, condition]) =>
    comparisonsOf(condition).flatMap((comparison) => decidable(member, comparison)),
  );
  return conditions.slice(0, CONDITIONS_MAX);
}

function decidable(member: string, [operator, operand]: [string, unknown]): MemberCondition[] {
  if (!member.isWellFormed()) return [];
  const at = { of: 'data' as const, path: [member] };
  if (operator === '$eq' && isScalar(operand)) return [{ ...at, equals: operand }];
  if (operator === '$ne' && isScalar(operand)) return [{ ...at, not_equals: operand }];
  if (!isListOfScalars(operand)) return [];
  if (operator === '$in') return [{ ...at, one_of: operand }];
  return operator === '$nin' ? [{ ...at, none_of: operand }] : [];
}

/** Returns the comparisons of a condition; a value in place of operators must be equal. */
function comparisonsOf(condition: unknown): [string, unknown][] {
  const isObject = typeof condition === 'object' && condition !== null;
  const isOperators =
    isObject && Object.keys(condition).every((operator) => Object.hasOwn(operators, operator));
  return isOperators ? Object.entries(condition) : [['$eq', condition]];
}

/** Reads a member as JavaScript does, where a value has only members of its own. */
function memberOf(value: unknown, member: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
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
