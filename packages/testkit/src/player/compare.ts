/**
 * Compares answers with what the model says of them.
 */
import { isDeepStrictEqual } from 'node:util';

/** An answer that is not what the contract asks for. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

/**
 * Where an answer differs from what is known of it; `undefined` when it does not. Members of
 * objects that are not told may be anything; lists are told in full.
 */
export function difference(actual: unknown, told: unknown, place = 'answer'): string | undefined {
  if (Array.isArray(told) && Array.isArray(actual)) {
    if (actual.length !== told.length) {
      return `${place} has ${actual.length} items instead of ${told.length}`;
    }
    return firstOf(told, (each, index) => difference(actual[index], each, `${place}[${index}]`));
  }
  if (isObject(told) && isObject(actual)) {
    return firstOf(Object.entries(told), ([name, member]) =>
      difference(actual[name], member, `${place}.${name}`),
    );
  }
  if (isDeepStrictEqual(actual, told)) return undefined;
  return `${place} is ${JSON.stringify(actual)} instead of ${JSON.stringify(told)}`;
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
