/**
 * Fetches the keys and spans that bodies read, in one statement and so in one snapshot.
 */
import { afterKey, keyBytes, keyText } from '@agentkeep/core/store';
import { bigintArray, byteaArray } from '../database/binary-array.js';
import type { Answer, Call, Row } from '../database/database.js';
import { ABSENT, type Found, NO_REVISION } from './guess-cache.js';
import type { FetchedEntry, Knowledge, Span } from './knowledge.js';
import type { Statements } from '../database/statements.js';
import type { Trace, Wanted } from './trace.js';

/** Most look-ups for one body. Each finds something more, so only an endless body needs all. */
export const LOOK_UPS_MAX = 10_000;

/** The keys and spans of one look-up. */
export interface Request {
  /** Keys with their expected revisions. */
  readonly points: readonly (readonly [text: string, expected: Found])[];
  readonly spans: readonly Wanted[];
}

/** Returns the look-up of everything that a trace only guessed or still needs. */
export function requestOf(trace: Trace): Request {
  return { points: trace.guessed(), spans: trace.wanted };
}

/**
 * Returns the look-up of everything that a trace read, and more of its spans, for new knowledge.
 */
export function requestAnew(trace: Trace, knowledge: Knowledge): Request {
  const wanted = new Map(trace.wanted.map(({ span, count }) => [span, count]));
  return {
    points: [...trace.points],
    spans: Array.from(trace.walks.values(), ({ span, count }) => ({
      span: knowledge.span(span.from, span.to, span.isReverse),
      count: count + (wanted.get(span) ?? 1),
    })),
  };
}

/** Whether a look-up has neither keys nor spans. */
export function isEmpty({ points, spans }: Request): boolean {
  return points.length === 0 && spans.length === 0;
}

/** Returns the call of a look-up. */
export function fetchCall(statements: Statements, { points, spans }: Request): Call {
  const keys = [
    byteaArray(points.map(([text]) => keyBytes(text))),
    bigintArray(points.map(([, { revision }]) => revision)),
  ];
  if (spans.length === 0) return { statement: statements.points, values: keys };
  const ascending = spans.filter(({ span }) => !span.isReverse).map(({ span }) => restOf(span));
  const descending = spans.filter(({ span }) => span.isReverse).map(({ span }) => restOf(span));
  return {
    statement: statements.spans,
    values: [
      ...keys,
      byteaArray(ascending.map(({ low }) => low)),
      byteaArray(ascending.map(({ high }) => high)),
      byteaArray(descending.map(({ low }) => low)),
      byteaArray(descending.map(({ high }) => high)),
      String(limitOf(spans)),
    ],
  };
}

/** Adds an answer to the knowledge. Returns whether all keys had their expected revisions. */
export function takeAnswer(
  knowledge: Knowledge,
  { points, spans }: Request,
  { rows }: Answer,
): boolean {
  const parts: [Row[], Row[], Row[]] = [[], [], []];
  for (const row of rows) parts[Number(row[0])]?.push(row);
  for (const [text, expected] of points) knowledge.observe(text, expected);
  for (const [, at, , revision, value] of parts[0]) {
    const point = points[Number(at) - 1];
    if (point !== undefined) knowledge.observe(point[0], foundOf(revision, value));
  }
  const limit = limitOf(spans);
  extend(
    spans.filter(({ span }) => !span.isReverse),
    parts[1],
    limit,
  );
  extend(
    spans.filter(({ span }) => span.isReverse),
    parts[2],
    limit,
  );
  return parts[0].length === 0;
}

/** Converts revision and value of a row. */
export function foundOf(revision: unknown, value: unknown): Found {
  const number = BigInt(String(revision));
  return number === NO_REVISION ? ABSENT : { revision: number, value: bytesOf(value) };
}

function extend(spans: readonly Wanted[], rows: readonly Row[], limit: number): void {
  const fetched = spans.map((): FetchedEntry[] => []);
  for (const [, at, key, revision, value] of rows) {
    fetched[Number(at) - 1]?.push({
      text: keyText(bytesOf(key)),
      revision: BigInt(String(revision)),
      value: bytesOf(value),
    });
  }
  spans.forEach(({ span }, index) => {
    const entries = fetched[index] ?? [];
    entries.sort((a, b) => (a.text < b.text !== span.isReverse ? -1 : 1));
    span.entries.push(...entries);
    span.isWhole = entries.length < limit;
  });
}

/** Returns the bounds of the part of a span that was not fetched yet. */
function restOf({ from, to, isReverse, entries }: Span): { low: Uint8Array; high: Uint8Array } {
  const last = entries.at(-1);
  if (last === undefined) return { low: from, high: to };
  const key = keyBytes(last.text);
  return isReverse ? { low: from, high: key } : { low: afterKey(key), high: to };
}

function limitOf(spans: readonly Wanted[]): number {
  return Math.max(0, ...spans.map(({ count }) => count));
}

function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new TypeError('The database returned a value that is not a bytea.');
}
