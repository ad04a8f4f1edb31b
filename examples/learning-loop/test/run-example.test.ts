/**
 * The whole loop: the better procedure is promoted, suspended when the world changes, and replaced;
 * the baseline works in between.
 */
import { inMemoryStore, openKeep } from '@agentkeep/core';
import { expect, test } from 'vitest';
import { followInstructions } from '../src/follow-instructions.js';
import { invoices } from '../src/invoices.js';
import { runExample } from '../src/run-example.js';

async function happenings(): Promise<string[]> {
  await using keep = await openKeep({ store: inMemoryStore() });
  const all = await runExample(keep);
  return all.map(({ what, who, tells }) => `${what} ${who}: ${tells}`);
}

test('promotes the better procedure, suspends it when it fails, and falls back', async () => {
  const told = await happenings();
  expect(told.filter((line) => !line.startsWith('used'))).toEqual([
    'evaluated largest: Rejected after 32',
    'selected baseline: no_qualified_compatible_procedure',
    'evaluated labelled: Active after 11',
    expect.stringMatching(/^selected labelled: better by at least 0\.\d\d$/),
    'evaluated labelled: Suspended',
    'selected baseline: no_qualified_compatible_procedure',
    'evaluated both labels: Active after 11',
    expect.stringMatching(/^selected both labels: better by at least 0\.\d\d$/),
  ]);
  const used = told.filter((line) => line.startsWith('used'));
  expect(used.slice(0, 8).every((line) => /labelled: total \d+ right$/.test(line))).toBe(true);
  expect(used.slice(8, 11).every((line) => /labelled: amount due \d+ wrong$/.test(line))).toBe(
    true,
  );
  expect(used.slice(11, 16).every((line) => line.startsWith('used baseline: '))).toBe(true);
  expect(used.slice(16).every((line) => /both labels: amount due \d+ right$/.test(line))).toBe(
    true,
  );
  expect(used).toHaveLength(24);
});

test('produces the same steps on every run', async () => {
  expect(await happenings()).toEqual(await happenings());
});

test('tries rules in order and counts them', () => {
  const [invoice] = invoices('amount due', 1, 1);
  const text = invoice!.text;
  const both = 'after "Total"\nafter "Amount due"';
  expect(followInstructions(both, text)).toEqual({
    totalCents: invoice!.totalCents,
    rulesTried: 2,
  });
  expect(followInstructions('after "Total"', text)).toEqual({ totalCents: null, rulesTried: 1 });
  expect(() => followInstructions('guess', text)).toThrow('guess');
});
