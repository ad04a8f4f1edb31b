/** The names of a history, all together with their calls. */
import type { Call, Request, Shown } from './call.js';
import { judge } from './linearizability.js';
import { type NameEvent, nameModel } from './name-model.js';
import { generationOf, type NamedCommand } from './named-call.js';
import type { Observed } from './observed.js';
import { operationOf, type Revocations } from './timing.js';

/** Returns each generation of names as one object. */
export function observedNames(calls: readonly Call[], revocations: Revocations): Observed[] {
  const generations = new Set(calls.flatMap(({ request }) => generationsIn(request)));
  return [...generations].map((generation) => ({
    name: `the names of generation ${generation}`,
    calls: calls.filter((call) => eventOf(call, generation) !== undefined),
    judge: (some, statesMax) => {
      const operations = some.flatMap((call) => {
        const event = eventOf(call, generation);
        return event === undefined ? [] : [operationOf(call, event, revocations)];
      });
      return judge(nameModel, operations, statesMax);
    },
  }));
}

function generationsIn(request: Request): string[] {
  if (request.type === 'look up') return [generationOf(request.name)];
  if (request.type !== 'named') return [];
  return request.changes.slice(0, 1).map(({ name }) => generationOf(name));
}

function eventOf(call: Call, generation: string): NameEvent | undefined {
  const { request, answer, credential } = call;
  if (request.type === 'list names' && answer.type === 'shown') {
    const own = ({ name = '' }: Shown) => generationOf(name) === generation;
    return { type: 'list', shown: answer.records.filter(own) };
  }
  if (!generationsIn(request).includes(generation)) return undefined;
  if (request.type === 'named') return commandEvent(request, answer, credential);
  if (request.type !== 'look up' || answer.type !== 'shown') return undefined;
  return { type: 'look', name: request.name, shown: answer.records[0] };
}

function commandEvent(
  command: NamedCommand,
  answer: Call['answer'],
  author: string,
): NameEvent | undefined {
  if (answer.type === 'unknown') return { type: 'command', command, author };
  if (answer.type === 'outcomes') {
    return { type: 'command', command, author, outcomes: answer.outcomes };
  }
  if (answer.type !== 'refused') return undefined;
  if (answer.code === 'revision_conflict') return { type: 'conflict', command };
  return answer.code === 'record_not_found' ? { type: 'absence', command } : undefined;
}
