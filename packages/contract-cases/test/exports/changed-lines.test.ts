/** Lines that were changed anywhere are stored or refused (docs/contract/exports.md#xpt-16). */
import { type Random, randomFrom } from '@agentkeep/testkit/random';
import { expect, inject } from 'vitest';
import { inBranch, texted } from '../branches/harness.js';
import { result } from '../harness/answer.js';
import { scope } from '../harness/documents.js';
import { testCase, tenant } from '../harness/fixture.js';
import { exported, imported, learned, linesOf, ofTenant, remembered } from './export-fixture.js';

const ROUNDS = 24;
const CHANGES_MAX = 12;
const DEPTH_MAX = 7;

const strange = [null, true, -1, 0.5, 1e308, '', 'x', '\u0000', [], {}, [null], { a: 1 }];

/** Replaces or removes a member somewhere in a value. */
function changed(value: unknown, random: Random, depth: number): unknown {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (depth === 0 || entries.length === 0) return strange[random(strange.length)];
  const at = random(entries.length);
  const isRemoved = depth === 1 && random(3) === 0;
  const made = entries.flatMap(([name, each], index): [string, unknown][] => {
    if (index !== at) return [[name, each]];
    return isRemoved ? [] : [[name, changed(each, random, depth - 1)]];
  });
  return Array.isArray(value) ? made.map(([, each]) => each) : Object.fromEntries(made);
}

testCase('XPT-C16 changed lines are stored or refused, and exports go on', async (t) => {
  const agent = await remembered(t);
  await learned(t);
  const { where } = await inBranch(agent, { scopes: [scope] });
  await agent.created(where, texted('in a branch'));
  const lines = linesOf(await exported(t.admin, ofTenant, { with_history: true }));
  const random = randomFrom(inject('seed'));
  for (let round = 0; round < ROUNDS; round += 1) {
    await using empty = await tenant(t.driver);
    const sent: unknown[] = [...lines];
    for (let left = 1 + random(CHANGES_MAX); left > 0; left -= 1) {
      const at = random(sent.length);
      sent[at] = changed(sent[at], random, 1 + random(DEPTH_MAX));
    }
    const text = `${sent.map((line) => JSON.stringify(line)).join('\n')}\n`;
    expect((await imported(empty.admin, text)).stored).toBeGreaterThan(0);
    // What was stored is read, found and taken out again.
    const again = await exported(empty.admin, ofTenant, { with_history: true });
    expect(linesOf(again).at(-1)?.line).toBe('manifest');
    const reader = await empty.agent({ subject_id: 'alice' });
    result(await reader.query(scope));
    result(await reader.search([scope], { order: 'oldest' }));
  }
});
