/**
 * Integers of the contract. Being an integer in range is part of a document's shape.
 */
import * as v from 'valibot';
import { INTEGER_MAX, UINT32_MAX } from '../limits.js';
import { CONTRACT_VERSION } from '../version.js';
import { describedAs } from './json-schema.js';

/** Writes an integer with commas between thousands. Loading a locale would take 40 ms. */
export function withCommas(value: number): string {
  const digits = String(value);
  let text = digits.slice(0, digits.length % 3 || 3);
  for (let at = text.length; at < digits.length; at += 3) text += `,${digits.slice(at, at + 3)}`;
  return text;
}

/** An integer between two bounds. Anything else is an issue of shape. */
export function integer(minimum = 0, maximum = INTEGER_MAX, what = 'an integer') {
  return v.pipe(
    v.custom<number>(
      (value) =>
        Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
      `${what} from ${minimum} to ${maximum}`,
    ),
    // JSON has a negative zero; the contract's integers do not.
    v.transform((value) => value + 0),
    describedAs({ type: 'integer', minimum, maximum }),
  );
}

/**
 * An integer whose range is a rule, checked where the operation's order of checks says so. A value
 * below `least` is an issue of shape. `what` is how a refusal calls it.
 */
export function boundedInteger(
  minimum: number,
  maximum: number,
  least = -INTEGER_MAX,
  what = 'an integer',
) {
  return v.pipe(
    integer(least, INTEGER_MAX, what),
    v.check(
      (value) => value >= minimum && value <= maximum,
      `${what} from ${minimum} to ${maximum}`,
    ),
    describedAs({ type: 'integer', minimum, maximum }),
  );
}

/**
 * The `contract_version` of a request. Another integer up to `greatest` has an error of its own;
 * anything beyond is an issue of shape.
 */
export function contractVersion(greatest = INTEGER_MAX) {
  return v.pipe(
    integer(0, greatest),
    v.check((value) => value === CONTRACT_VERSION, `the integer ${CONTRACT_VERSION}`),
    describedAs({ type: 'integer', const: CONTRACT_VERSION }),
  );
}

/** {@link contractVersion} of administration documents, where a version has 32 bits. */
export function administrationVersion() {
  return contractVersion(UINT32_MAX);
}

/** `contract_version` of an answer. */
export const answeredVersion = v.literal(CONTRACT_VERSION);

/** A number whose bounds are a rule, not an issue of shape. */
export function boundedNumber(minimum: number, maximum: number, bounds: 'inclusive' | 'exclusive') {
  const isInclusive = bounds === 'inclusive';
  return v.pipe(
    finiteNumber(),
    v.check(
      (value) =>
        isInclusive ? value >= minimum && value <= maximum : value > minimum && value < maximum,
      isInclusive
        ? `a number from ${minimum} to ${maximum}`
        : `a number above ${minimum} and below ${maximum}`,
    ),
    describedAs({
      type: 'number',
      ...(isInclusive
        ? { minimum, maximum }
        : { exclusiveMinimum: minimum, exclusiveMaximum: maximum }),
    }),
  );
}

/** Any JSON number, without negative zero. */
export function finiteNumber() {
  return v.pipe(
    v.number(),
    v.transform((value) => value + 0),
    describedAs({ type: 'number' }),
  );
}
