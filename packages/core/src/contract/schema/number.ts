/**
 * Integers of the contract. Being an integer in range is part of a document's shape.
 * @module
 */
import * as v from 'valibot';
import { INTEGER_MAX, UINT32_MAX } from '../limits.js';
import { CONTRACT_VERSION } from '../version.js';
import { describedAs } from './json-schema.js';

/** An integer between two bounds; anything else breaks the shape of the document. */
export function integer(minimum = 0, maximum = INTEGER_MAX) {
  return v.pipe(
    v.custom<number>(
      (value) =>
        Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
      'integer',
    ),
    // JSON has a negative zero; the contract's integers do not.
    v.transform((value) => value + 0),
    describedAs({ type: 'integer', minimum, maximum }),
  );
}

/**
 * An integer whose range is a rule of its own, checked where the operation's order says so; what
 * lies below `least` breaks the shape.
 */
export function boundedInteger(minimum: number, maximum: number, least = -INTEGER_MAX) {
  return v.pipe(
    integer(least),
    v.check((value) => value >= minimum && value <= maximum, 'range'),
    describedAs({ type: 'integer', minimum, maximum }),
  );
}

/**
 * The member that every versioned document carries; any other integer up to `greatest` is its own
 * error, and what lies beyond is no version at all.
 */
export function contractVersion(greatest = INTEGER_MAX) {
  return v.pipe(
    integer(0, greatest),
    v.check((value) => value === CONTRACT_VERSION, 'contract_version'),
    describedAs({ type: 'integer', const: CONTRACT_VERSION }),
  );
}

/** {@link contractVersion} of the documents of administration, where a version has 32 bits. */
export function administrationVersion() {
  return contractVersion(UINT32_MAX);
}

/** `contract_version` of an answer. */
export const answeredVersion = v.literal(CONTRACT_VERSION);

/** A number between two bounds, which are a rule of their own; exclusive ones lie outside. */
export function boundedNumber(minimum: number, maximum: number, bounds: 'inclusive' | 'exclusive') {
  const isInclusive = bounds === 'inclusive';
  return v.pipe(
    finiteNumber(),
    v.check(
      (value) =>
        isInclusive ? value >= minimum && value <= maximum : value > minimum && value < maximum,
      'range',
    ),
    describedAs({
      type: 'number',
      ...(isInclusive
        ? { minimum, maximum }
        : { exclusiveMinimum: minimum, exclusiveMaximum: maximum }),
    }),
  );
}

/** Any number that JSON can write; like the contract's integers, it has no negative zero. */
export function finiteNumber() {
  return v.pipe(
    v.number(),
    v.transform((value) => value + 0),
    describedAs({ type: 'number' }),
  );
}
