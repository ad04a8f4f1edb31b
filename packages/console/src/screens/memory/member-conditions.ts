/** Conditions on metadata and data, as forms have them and as the server takes them. */
import type { SearchFilterInput } from '@agentkeep/client';
import { jsonOf } from '../../parts/written-json.js';

/** What a condition asks of a value. */
const operators = [
  ...(['equals', 'not_equals', 'above', 'at_least', 'below', 'at_most'] as const),
  ...(['one_of', 'none_of', 'contains', 'exists', 'missing'] as const),
] as const;

/** The parts of a record that conditions look at. */
export const parts = ['metadata', 'data'] as const;

type Operator = (typeof operators)[number];

/** A condition as it is typed. */
export interface TypedCondition {
  readonly of: (typeof parts)[number];
  /** Names that dots separate, or a JSON array of names. */
  readonly path: string;
  readonly operator: Operator;
  readonly value: string;
}

type MemberFilter = NonNullable<SearchFilterInput['members']>[number];

/** Whether an operator compares with a value. */
export function takesValue(operator: Operator): boolean {
  return operator !== 'exists' && operator !== 'missing';
}

/** Reads the conditions of an address. What is none is left out. */
export function readConditions(text: string): readonly TypedCondition[] {
  const all = jsonOf(text === '' ? '[]' : text);
  return Array.isArray(all) ? all.flatMap((each) => conditionIn(each)) : [];
}

/** Returns conditions as a text for an address; empty if there are none. */
export function writeConditions(all: readonly TypedCondition[]): string {
  const complete = all.filter(({ operator, value }) => !takesValue(operator) || value !== '');
  const rows = complete.map(({ of, path, operator, value }) =>
    takesValue(operator) ? [of, path, operator, value] : [of, path, operator],
  );
  return rows.length === 0 ? '' : JSON.stringify(rows);
}

/** Returns a condition as the server takes it. */
export function memberFilterOf({ of, path, operator, value }: TypedCondition): MemberFilter {
  const place = { of, path: namesOf(path) };
  if (!takesValue(operator)) return { ...place, exists: operator === 'exists' };
  const isList = operator === 'one_of' || operator === 'none_of';
  return { ...place, [operator]: isList ? listOf(value) : valueOf(value) };
}

function conditionIn(row: unknown): TypedCondition[] {
  if (!Array.isArray(row)) return [];
  const [of, path, operator, value = ''] = row as unknown[];
  const part = parts.find((each) => each === of);
  const known = operators.find((each) => each === operator);
  if (part === undefined || known === undefined) return [];
  if (typeof path !== 'string' || typeof value !== 'string') return [];
  return [{ of: part, path, operator: known, value }];
}

function namesOf(path: string): string[] {
  const list = path.startsWith('[') ? jsonOf(path) : undefined;
  if (Array.isArray(list)) return list.map(String);
  return path.trim() === '' ? [] : path.split('.').map((name) => name.trim());
}

function listOf(text: string): unknown[] {
  const list = jsonOf(text);
  return Array.isArray(list)
    ? (list as unknown[])
    : text.split(',').map((each) => valueOf(each.trim()));
}

/** What is no JSON is a text, so that texts need no quotation marks. */
function valueOf(text: string): unknown {
  return jsonOf(text) ?? (text.trim() === 'null' ? null : text);
}
