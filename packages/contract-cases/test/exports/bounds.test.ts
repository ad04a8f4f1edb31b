/** Lines with members out of bounds are refused, and what is stored can be changed and read. */
import { randomFrom } from '@agentkeep/testkit/random';
import { expect, inject } from 'vitest';
import { inBranch, texted } from '../branches/harness.js';
import { type Answer, result } from '../harness/answer.js';
import type { Caller } from '../harness/caller.js';
import { missionScope, recordOf, scope, sharedScope } from '../harness/documents.js';
import { testCase, type Fixture, tenant } from '../harness/fixture.js';
import { submission } from '../learning/learning-documents.js';
import {
  exported,
  imported,
  importText,
  learned,
  type Line,
  linesOf,
  ofTenant,
  remembered,
} from './export-fixture.js';

const version = { contract_version: 1 };
const places = [scope, sharedScope, missionScope];

/** The greatest revision of a line. */
const REVISION_MAX = 2 ** 47;

const textOf = (lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** Returns copies of a value, each with another one of its numbers or texts replaced. */
function variants(value: unknown, to: unknown): unknown[] {
  if (typeof value === typeof to && typeof value !== 'object') return [to];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]: [string, unknown]) => {
    if (name === 'line' || name === 'namespace') return [];
    return variants(each, to).map((variant) =>
      Array.isArray(value)
        ? value.map((other: unknown, at) => (String(at) === name ? variant : other))
        : { ...value, [name]: variant },
    );
  });
}

/** Exports everything that there can be. */
async function everyLine(t: Fixture): Promise<Line[]> {
  const agent = await remembered(t);
  await learned(t);
  const { where } = await inBranch(agent, { scopes: [scope] });
  await agent.created(where, texted('in a branch'));
  const redacted = await agent.created(scope, recordOf({ primary: 'to redact' }));
  result(await agent.update(scope, [redacted, 1], recordOf({ primary: 'later' })));
  result(await agent.command(scope, { type: 'redact', record_id: redacted, revision: 1 }));
  return linesOf(await exported(t.admin, ofTenant, { with_history: true }));
}

/** Changes every record twice, and brings it back. */
async function changeAll(agent: Caller): Promise<void> {
  for (const place of places) {
    for (const { record_id: id, revision } of result(await agent.query(place)).page.records) {
      const { receipt } = result(
        await agent.update(place, [id, revision], recordOf({ primary: 'new' })),
      );
      expect(receipt.revision).toBe(revision + 1);
      result(await agent.delete(place, [id, receipt.revision]));
      await agent.restore(place, id, revision, revision + 2).then(withoutFailure);
    }
  }
}

/** Fails the test for an answer that says that something is broken. */
function withoutFailure<A extends Answer>(answer: A): A {
  expect(answer.status, JSON.stringify(answer)).toBeLessThan(500);
  return answer;
}

/** Reads and continues what was learned. */
async function learnOn(t: Fixture): Promise<void> {
  const capabilities = ['memory_read', 'procedure_evaluate', 'experience_read', 'tool_read'];
  const judge = await t.agent({ subject_id: 'judge', capabilities });
  const at = { ...version, scope: sharedScope };
  const calls = [
    ['readProcedure', { procedure_id: 'c1' }],
    ['admitEvaluation', { procedure_id: 'c1', submission: submission('one more') }],
    ['selectProcedure', { policy_id: 'pol', context_id: 'ctx', max_instruction_bytes: 65_536 }],
    ['listProcedures', {}],
    ['listExperiences', {}],
    ['readExperience', { attempt_id: 'a1' }],
    ['readExperienceHistory', { attempt_id: 'a1', query: { limit: 64 } }],
    ['readToolDevelopment', { request_id: 'r1' }],
  ] as const;
  for (const [name, members] of calls) {
    withoutFailure(await judge.call(name, { document: { ...at, ...members } }));
  }
}

testCase('XPT-C17 a revision beyond 2^47 is refused, and no line beside it', async (t) => {
  await remembered(t);
  const lines = linesOf(await exported(t.admin));
  const at = lines.findLastIndex(({ line }) => line === 'record');
  const withRevision = (revision: number): unknown[] => {
    const { record, ...members } = lines[at] as Line & { readonly record: object };
    return lines.with(at, { ...members, record: { ...record, revision } });
  };
  for (const revision of [REVISION_MAX + 1, 2 ** 48 - 1, 2 ** 48, 2 ** 53 - 1, 2 ** 53]) {
    await using empty = await tenant(t.driver);
    const outcome = await imported(empty.admin, textOf(withRevision(revision)));
    expect(outcome.problems).toEqual([{ line: at + 1, reason: 'invalid' }]);
    const counted = lines.filter(({ line }) => !['export', 'scope', 'manifest'].includes(line));
    expect(outcome.stored).toBe(counted.length - 1);
  }
  await using last = await tenant(t.driver);
  const accepted = await imported(last.admin, textOf(withRevision(REVISION_MAX)));
  expect(accepted).toMatchObject({ refused: 0 });
  await changeAll(await last.agent({ subject_id: 'alice' }));
});

testCase('XPT-C17 members of all lines have the bounds of commands', async (t) => {
  const lines = await everyLine(t);
  const random = randomFrom(inject('seed'));
  const numbers = [-1, 0.5, 0, 2 ** 32, REVISION_MAX - 8, 2 ** 48 - 1, 2 ** 48, 2 ** 53 - 1, 1e308];
  const texts = ['', 'x', '\u0001'.repeat(512), '漢'.repeat(512), 'f'.repeat(64)];
  for (const to of [...numbers, ...texts]) {
    await using empty = await tenant(t.driver);
    // Whichever comes first of a line is stored, unless it is refused.
    const sent = lines.flatMap((line) => {
      if (['export', 'scope', 'manifest'].includes(line.line)) return [line];
      const all = [line, ...variants(line, to)] as const;
      return all.map((_, index) => all[(index + random(all.length)) % all.length]);
    });
    const answer = await importText(empty.admin, textOf(sent));
    expect(result(answer).outcome.stored, String(to)).toBeGreaterThan(0);
    result(await importText(empty.admin, textOf(lines)));
    await learnOn(empty);
    await changeAll(await empty.agent({ subject_id: 'alice' }));
    // What was stored comes back from another export.
    const again = await exported(empty.admin, ofTenant, { with_history: true });
    await using copy = await tenant(t.driver);
    const { problems } = await imported(copy.admin, again);
    expect(problems, String(to)).toEqual([]);
  }
});
