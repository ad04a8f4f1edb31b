/** Generates word problems about times of the day with their answers, the same on every run. */

/** A problem that a program can check. */
export interface Problem {
  readonly id: string;
  readonly text: string;
  /** A time such as `09:05`. */
  readonly answer: string;
}

const MINUTES_PER_DAY = 24 * 60;

/** Words a duration in one of three ways. */
function duration(minutes: number, way: number): string {
  if (way === 0) return `${minutes} minutes`;
  if (way === 1) return `${Math.floor(minutes / 60)} hours and ${minutes % 60} minutes`;
  return `${minutes / 60} hours`;
}

/** Returns `count` problems, numbered from 0. */
export function problems(count: number): Problem[] {
  return Array.from({ length: count }, (_, number) => problem(number));
}

function problem(number: number): Problem {
  const start = (number * 7_919 + 311) % MINUTES_PER_DAY;
  // Hours with a fraction are halves and quarters, so that every answer is a whole minute.
  const minutes = 15 + ((number * 104_729) % 38) * 15;
  const lasts = duration(minutes, number % 3);
  const text = `A meeting begins at ${clock(start)}. It lasts ${lasts}. When does it end?`;
  return { id: `problem ${number}`, text, answer: clock(start + minutes) };
}

/** Writes minutes since midnight as a time of the day. */
export function clock(minutes: number): string {
  const rest = minutes % MINUTES_PER_DAY;
  const digits = (value: number) => String(value).padStart(2, '0');
  return `${digits(Math.floor(rest / 60))}:${digits(rest % 60)}`;
}
