/** Cases of selection, and of evaluations at the same time (docs/contract/learning.md). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { ungranted } from '../harness/documents.js';
import { failure, submission } from './learning-documents.js';
import { lesson } from './learning-fixture.js';

describe('selection', () => {
  lesson('LRN-C31 the best bound wins, then the smaller id', async ({ author, judge }) => {
    const half = { candidate_utility: 0.9 };
    for (const id of ['zz', 'b', 'é', 'aa', 'best']) {
      result(await author.propose({ id }));
      await judge.qualify(4, id, id === 'best' ? {} : half);
    }
    expect(await author.selected()).toBe('best');
    for (const at of [1, 2, 3]) {
      result(await judge.evaluate(failure(`best ${String(at)}`), 'best'));
    }
    expect(await author.selected()).toBe('aa');
  });

  lesson('LRN-C32 a budget skips long procedures', async ({ registrar, author, judge }) => {
    const instructions = 'ü'.repeat(10);
    result(await author.propose({ instructions }));
    await judge.qualify(4);
    expect(await author.selected({ max_instruction_bytes: 20 })).toBe('c1');
    expect(await author.selected({ max_instruction_bytes: 19 })).toBe('baseline base-1');
    expect(await author.selected({ max_instruction_bytes: 0 })).toBe('baseline base-1');
    result(await author.propose({ id: 'short', instructions: 'x' }));
    await judge.qualify(4, 'short', { candidate_utility: 0.9 });
    expect(await author.selected({ max_instruction_bytes: 19 })).toBe('short');
    expect(await author.selected()).toBe('c1');
    for (const max_instruction_bytes of [65_537, -1, 1.5, null]) {
      expect(outcome(await author.select({ max_instruction_bytes }))).toBe(refused.invalid);
    }
    const outside = await author.select({ max_instruction_bytes: 65_537 }, ungranted);
    expect(outcome(outside)).toBe(refused.invalid);
    expect(outcome(await author.select({}, ungranted))).toBe(refused.forbidden);
    result(await registrar.context('ctx-2'));
    expect(await author.selected({ context_id: 'ctx-2' })).toBe('baseline base-1');
  });

  lesson('LRN-C33 parallel identical evaluations count once', async ({ author, judge }) => {
    result(await author.propose());
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => judge.evaluate(submission('one'))),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(outcome(answers[0]!)).toBe('200');
    expect((await author.record()).qualification_count).toBe(1);
    const policies = await Promise.all(
      Array.from({ length: 8 }, () => author.propose({ id: 'c2' })),
    );
    for (const answer of policies) expect(answer).toEqual(policies[0]);
  });
});
