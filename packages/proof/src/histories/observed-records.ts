/**
 * The records of a history, each with its calls.
 */
import type { Answer, Call, Command } from './call.js';
import { judge } from './linearizability.js';
import type { Observed } from './observed.js';
import { identity, type RecordEvent, recordModel } from './record-model.js';
import { operationOf, type Revocations } from './timing.js';

/** Returns every record that a request or an answer names. */
export function observedRecords(calls: readonly Call[], revocations: Revocations): Observed[] {
  const made = creations(calls);
  return [...recordIds(calls)].map((recordId) => ({
    name: `record ${recordId}`,
    calls: calls.filter((call) => eventOn(recordId, call, made) !== undefined),
    judge: (some, statesMax) => {
      const operations = some.flatMap((call) => {
        const event = eventOn(recordId, call, made);
        return event === undefined ? [] : [operationOf(call, event, revocations)];
      });
      return judge(recordModel, operations, statesMax);
    },
  }));
}

/** Returns the created record of each create command. */
type Creations = ReadonlyMap<string, string>;

/** A create without an answer created the record in the answer of its retry. */
function creations(calls: readonly Call[]): Creations {
  const made = new Map<string, string>();
  for (const { request, answer } of calls) {
    if (request.type !== 'command' || answer.type !== 'receipt') continue;
    made.set(identity(request), answer.receipt.record_id);
  }
  return made;
}

function recordIds(calls: readonly Call[]): Set<string> {
  const ids = new Set<string>();
  for (const { request, answer } of calls) {
    if (answer.type === 'receipt') ids.add(answer.receipt.record_id);
    if (answer.type === 'shown') for (const { recordId } of answer.records) ids.add(recordId);
    if (request.type === 'read') ids.add(request.recordId);
    if (request.type === 'command' && request.change.type !== 'create') {
      ids.add(request.change.recordId);
    }
  }
  return ids;
}

/** Returns the event of a call on a record, if any. */
function eventOn(recordId: string, call: Call, made: Creations): RecordEvent | undefined {
  const { request, answer, credential } = call;
  switch (request.type) {
    case 'revoke':
    case 'named':
    case 'look up':
    case 'list names':
      return undefined;
    case 'read':
      if (request.recordId !== recordId) return undefined;
      return answer.type === 'refused' && answer.code === 'record_not_found'
        ? { type: 'look', shown: undefined }
        : lookAt(recordId, call);
    case 'query':
      return lookAt(recordId, call);
    case 'command': {
      const { change } = request;
      const target = change.type === 'create' ? made.get(identity(request)) : change.recordId;
      if (target !== recordId) return undefined;
      const command = { command: request, author: credential };
      if (answer.type === 'unknown') return { type: 'command', ...command };
      if (answer.type === 'receipt') {
        return { type: 'command', ...command, receipt: answer.receipt };
      }
      return refusal(answer, request);
    }
  }
}

function lookAt(recordId: string, { answer }: Call): RecordEvent | undefined {
  if (answer.type !== 'shown') return undefined;
  return { type: 'look', shown: answer.records.find((each) => each.recordId === recordId) };
}

/** Whether a refusal depends on the state of the record. */
function refusal(answer: Answer, command: Command): RecordEvent | undefined {
  if (answer.type !== 'refused') return undefined;
  if (answer.code === 'revision_conflict') return { type: 'conflict', command };
  if (answer.code === 'record_not_found') return { type: 'absence', command };
  if (answer.code === 'current_revision') return { type: 'current', command };
  return undefined;
}
