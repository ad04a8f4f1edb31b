/** Remembered parameters are those that a check of the query gives. */
import fc from 'fast-check';
import { AgentkeepError, operations } from '@agentkeep/core';
import { type Operation, typedPart } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import type { Received } from './received.js';
import { readInput } from './request-input.js';

const all = (Object.values(operations) as Operation[]).flatMap((operation) => {
  const { parameters: schema } = operation.input;
  return schema === undefined ? [] : [{ operation, schema }];
});

const name = fc.constantFrom('contract_version', 'project_id', 'agent_id', 'visibility', 'limit');
const text = fc.constantFrom('1', '01', '', 'p', 'shared', 'a%20b', 'a+b', '%', '%00', '__proto__');
const query = fc
  .array(fc.tuple(fc.oneof({ weight: 9, arbitrary: name }, text), text), { maxLength: 6 })
  .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'));
const valid = 'contract_version=1&project_id=p&agent_id=a&visibility=shared';

/** Returns what a function gives, or how it refuses. */
function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof AgentkeepError)) throw error;
    return { code: error.code, members: error.members };
  }
}

test('for any query, again and with other operations', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.constant(valid), query),
      fc.array(fc.constantFrom(...all), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', '#fragment'),
      (query, chosen, rest) => {
        const received = { url: `/any?${query}${rest}` } as Received;
        for (const { operation, schema } of [...chosen, ...chosen]) {
          const input = readInput(operation, received, { id: undefined });
          const checked = outcome(() => typedPart(schema, input.parameters));
          expect(outcome(() => input.typedParameters?.(schema))).toEqual(checked);
        }
      },
    ),
  );
});
