/** Generates word problems about times of the day with their answers, the same on every run. */

/** A problem that a program can check. */
export interface Problem {
  readonly id: string;
  readonly text: string;
  /** A time such as `09:05`. */
  readonly answer: string;
}

const MINUTES_PER_DAY = 24 * 60;

const tasks = [
  (minutes: number) => `It lasts ${minutes} minutes. When does it end?`,
  (minutes: number) =>
    `It lasts ${Math.floor(minutes / 60)} hours and ${minutes % 60} minutes. When does it end?`,
  (minutes: number) => `It lasts ${minutes / 60} hours. When does it end?`,
];

/** Returns `count` problems, numbered from 0. */
export function problems(count: number): Problem[] {
  return Array.from({ length: count }, (_, number) => problem(number));
}

function problem(number: number): Problem {
  const start = (number * 7_919 + 311) % MINUTES_PER_DAY;
  const task = tasks[number % tasks.length] ?? tasks[0]!;
  // Hours with a fraction are halves and quarters, so that every answer is a whole minute.
  const minutes = 15 + ((number * 104_729) % 38) * 15;
  const text = `A meeting begins at ${clock(start)}. ${task(minutes)}`;
  return { id: `problem ${number}`, text, answer: clock(start + minutes) };
}

/** Writes minutes since midnight as a time of the day. */
export function clock(minutes: number): string {
  const rest = minutes % MINUTES_PER_DAY;
  const digits = (value: number) => String(value).padStart(2, '0');
  return `${digits(Math.floor(rest / 60))}:${digits(rest % 60)}`;
}
