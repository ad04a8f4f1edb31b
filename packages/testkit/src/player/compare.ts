/** Compares answers with the expectations of the model. */
import { isDeepStrictEqual } from 'node:util';
import { UNSTATED } from '../models/unstated.js';

/** An answer that is not what the contract asks for. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

/** An answer that the model knows in full: a member that it doesn't name must be absent. */
export class Whole<T> {
  readonly answer: T;

  constructor(answer: T) {
    this.answer = answer;
  }
}

/**
 * Says where an answer differs from what the model says; `undefined` when it doesn't. Members of
 * objects that the model doesn't name may have any value, unless it says a {@link Whole}. Lists are
 * always named in full.
 */
export function difference(actual: unknown, told: unknown): string | undefined {
  const isWhole = told instanceof Whole;
  return differenceAt('answer', plain(actual), plain(isWhole ? told.answer : told), isWhole);
}

function differenceAt(
  place: string,
  actual: unknown,
  told: unknown,
  isWhole: boolean,
): string | undefined {
  if (told === UNSTATED && actual !== undefined) return undefined;
  if (Array.isArray(told) && Array.isArray(actual)) {
    if (actual.length !== told.length) {
      return `${place} has ${actual.length} items instead of ${told.length}`;
    }
    return firstOf(told, (each, index) =>
      differenceAt(`${place}[${index}]`, actual[index], each, isWhole),
    );
  }
  if (isObject(told) && isObject(actual)) {
    const names = Object.keys(isWhole ? { ...told, ...actual } : told);
    return firstOf(names, (name) =>
      differenceAt(`${place}.${name}`, actual[name], told[name], isWhole),
    );
  }
  if (isDeepStrictEqual(actual, told)) return undefined;
  return `${place} is ${JSON.stringify(actual)} instead of ${JSON.stringify(told)}`;
}

/** The value as JSON holds it. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

function firstOf<T>(
  items: readonly T[],
  of: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = of(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
