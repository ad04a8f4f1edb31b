/**
 * The idempotency keys of a history, each with its calls.
 */
import type { Call, Command } from './call.js';
import { type KeyEvent, keyModel } from './key-model.js';
import { judge } from './linearizability.js';
import type { Observed } from './observed.js';
import { identity } from './record-model.js';
import { operationOf, type Revocations } from './timing.js';

/** Returns every key, checked for a single use. */
export function observedKeys(calls: readonly Call[], revocations: Revocations): Observed[] {
  const byKey = grouped(calls, ({ request }) =>
    request.type === 'command' ? [nameOf(request)] : [],
  );
  return Array.from(byKey, ([name, under]) => ({
    name,
    calls: under,
    judge: (some, statesMax) => {
      const operations = some.flatMap((call) => {
        const event = eventOf(call);
        return event === undefined ? [] : [operationOf(call, event, revocations)];
      });
      return judge(keyModel, operations, statesMax);
    },
  }));
}

/** Returns every key, checked for an effect on a single record. */
export function observedEffects(calls: readonly Call[]): Observed[] {
  const keys = new Map<string, string>();
  for (const { request } of calls) {
    if (request.type === 'command' && request.text !== '') keys.set(request.text, nameOf(request));
  }
  const restored = new Set(calls.flatMap(restoredBy));
  const placesIn = (call: Call) => textsIn(call).map((each) => placeOf(each, restored));
  const keysSeen = (call: Call): string[] => [
    ...new Set(placesIn(call).map(({ text }) => keys.get(text) ?? `text ${text} of nobody`)),
  ];
  return Array.from(grouped(calls, keysSeen), ([name, seeing]) => ({
    name: `the effect of ${name}`,
    calls: seeing,
    judge: (some) => {
      const places = some.flatMap(placesIn).filter(({ text }) => keys.get(text) === name);
      const isOfSomebody = some.every((call) => placesIn(call).every(({ text }) => keys.has(text)));
      const isOnce = new Set(places.map(({ place }) => place)).size <= 1;
      return isOfSomebody && isOnce ? 'explained' : 'contradictory';
    },
  }));
}

/** Refusals that depend on the state of a record. */
const OF_RECORDS: ReadonlySet<string> = new Set([
  'revision_conflict',
  'record_not_found',
  'current_revision',
]);

function nameOf({ subject, key }: Command): string {
  return `key ${key} of ${subject}`;
}

function eventOf({ request, answer }: Call): KeyEvent | undefined {
  if (request.type !== 'command') return undefined;
  const command = identity(request);
  if (answer.type === 'unknown') return { type: 'command', command };
  if (answer.type === 'receipt') {
    return { type: 'command', command, receipt: JSON.stringify(answer.receipt) };
  }
  if (answer.type !== 'refused') return undefined;
  if (answer.code === 'idempotency_conflict') return { type: 'conflict', command };
  return OF_RECORDS.has(answer.code) ? { type: 'refusal' } : undefined;
}

/** A text at a revision of a record. */
interface SeenText {
  readonly text: string;
  readonly recordId: string;
  readonly revision: number;
}

/** Names the place of a text. A restore may show it at other revisions of its record too. */
function placeOf({ text, recordId, revision }: SeenText, restored: ReadonlySet<string>) {
  return { text, place: restored.has(recordId) ? recordId : `${recordId} ${revision}` };
}

/** Returns the record that a call restores, if any. */
function restoredBy({ request }: Call): string[] {
  const isRestore = request.type === 'command' && request.change.type === 'restore';
  return isRestore && 'recordId' in request.change ? [request.change.recordId] : [];
}

/** Returns the records and revisions at which answers show a text. */
function textsIn({ request, answer }: Call): SeenText[] {
  if (answer.type === 'shown') {
    const isOfNames = request.type === 'look up' || request.type === 'list names';
    return isOfNames ? [] : [...answer.records];
  }
  if (request.type !== 'command' || request.text === '') return [];
  if (answer.type !== 'receipt') return [];
  const { record_id: recordId, revision } = answer.receipt;
  return [{ text: request.text, recordId, revision }];
}

function grouped(
  calls: readonly Call[],
  namesOf: (call: Call) => readonly string[],
): Map<string, Call[]> {
  const groups = new Map<string, Call[]>();
  for (const call of calls) {
    for (const name of namesOf(call)) {
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [call]);
      else group.push(call);
    }
  }
  return groups;
}
