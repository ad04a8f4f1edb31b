/**
 * Positive numbers of any size in integers below 2^53, for evidence that is multiplied trial by
 * trial. Every rounding is downwards, and the same on all machines.
 */

/** A value is mantissa * 2^exponent; the mantissa has 26 bits, so that a product is an integer. */
export interface Scaled {
  readonly mantissa: number;
  readonly exponent: number;
}

const MANTISSA_LEAST = 2 ** 25;

/** 1. */
export const scaledOne: Scaled = { mantissa: MANTISSA_LEAST, exponent: -25 };

/** 0. */
export const scaledZero: Scaled = { mantissa: 0, exponent: 0 };

/** Divides integers of up to 20 bits. */
export function quotient(dividend: number, divisor: number): Scaled {
  if (dividend === 0) return scaledZero;
  const digits = Math.clz32(dividend) - Math.clz32(divisor);
  const scaled = dividend * MANTISSA_LEAST * (digits < 0 ? 1 / (1 << -digits) : 1 << digits);
  const mantissa = Math.floor(scaled / divisor);
  return mantissa >= MANTISSA_LEAST
    ? { mantissa, exponent: -25 - digits }
    : { mantissa: Math.floor((2 * scaled) / divisor), exponent: -26 - digits };
}

/** Multiplies. */
export function product(first: Scaled, second: Scaled): Scaled {
  const whole = first.mantissa * second.mantissa;
  if (whole === 0) return scaledZero;
  const divisor = whole < 2 * MANTISSA_LEAST ** 2 ? MANTISSA_LEAST : 2 * MANTISSA_LEAST;
  const exponent = first.exponent + second.exponent + (divisor === MANTISSA_LEAST ? 25 : 26);
  return { mantissa: Math.floor(whole / divisor), exponent };
}

/** Adds 1. */
export function plusOne(value: Scaled): Scaled {
  const { mantissa, exponent } = value;
  if (mantissa === 0 || exponent <= -51) return scaledOne;
  if (exponent > 0) return value;
  // At most 2^51, in units of 2^exponent.
  const whole = mantissa + 2 ** -exponent;
  let digits = 0;
  while (whole >= 2 ** (26 + digits)) digits += 1;
  return { mantissa: Math.floor(whole / 2 ** digits), exponent: exponent + digits };
}

/** Raises to a power by squaring, from the lowest binary digit of the exponent. */
export function power(base: Scaled, exponent: number): Scaled {
  let result = scaledOne;
  let squared = base;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = product(result, squared);
    if (rest > 1) squared = product(squared, squared);
  }
  return result;
}

/** Returns how many units a value has, where 1 has `unitsPerOne`; `most` at the most. */
export function unitsOf({ mantissa, exponent }: Scaled, unitsPerOne: number, most: number): number {
  let value = mantissa * unitsPerOne;
  let rest = exponent;
  for (; rest > 0 && value < most; rest -= 1) value *= 2;
  for (; rest < 0 && value >= 1; rest += 1) value /= 2;
  return Math.min(most, Math.floor(value));
}
