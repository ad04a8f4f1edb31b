/**
 * Stands in for a language model: it answers word problems, makes typical mistakes, and avoids
 * those that its instructions warn about. A model would read any prose; this one knows three
 * sentences.
 */
import { clock } from './problems.js';

const START = /at (\d\d):(\d\d)/;
const MINUTES = /lasts (\d+) minutes/;
const HOURS_AND_MINUTES = /lasts (\d+) hours and (\d+) minutes/;
const HOURS = /lasts ([\d.]+) hours\./;

/** Answers a problem by the instructions. */
export function answerOf(instructions: string, text: string): string {
  const isTold = (sentence: string): boolean => instructions.includes(sentence);
  const [, hours = '0', minutes = '0'] = START.exec(text) ?? [];
  const start = Number(hours) * 60 + Number(minutes);
  const end = start + durationOf(text, isTold('A quarter of an hour has 15 minutes.'));
  const isNextDay = end >= 24 * 60;
  if (isNextDay && !isTold('After 23:59 comes 00:00.')) return clock(end - 12 * 60);
  // Without a method it forgets to carry from minutes to hours.
  const carries = !isTold('Count in minutes.') && end % 60 < start % 60;
  return clock(carries ? end - 60 : end);
}

function durationOf(text: string, knowsQuarters: boolean): number {
  const both = HOURS_AND_MINUTES.exec(text);
  if (both !== null) return Number(both[1]) * 60 + Number(both[2]);
  const minutes = MINUTES.exec(text);
  if (minutes !== null) return Number(minutes[1]);
  const hours = Number(HOURS.exec(text)?.[1] ?? 0);
  // "2.25 hours" read as 2 hours and 25 minutes.
  const fraction = hours % 1;
  const read = knowsQuarters ? fraction * 60 : fraction * 100;
  return Math.floor(hours) * 60 + Math.round(read);
}
