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
  const isOfRecord = answer.code === 'revision_conflict' || answer.code === 'record_not_found';
  return isOfRecord ? { type: 'refusal' } : undefined;
}

/** Returns the records and revisions at which answers show a text. */
function placesIn({ request, answer }: Call): { text: string; place: string }[] {
  if (answer.type === 'shown') {
    return answer.records.map(({ text, recordId, revision }) => ({
      text,
      place: `${recordId} ${revision}`,
    }));
  }
  if (request.type !== 'command' || request.text === '') return [];
  if (answer.type !== 'receipt') return [];
  const { record_id, revision } = answer.receipt;
  return [{ text: request.text, place: `${record_id} ${revision}` }];
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
