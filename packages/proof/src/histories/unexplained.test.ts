/**
 * Handwritten histories: correct ones are explained, and each kind of anomaly is reported with the
 * few calls that show it.
 */
import type { ErrorCode } from '@agentkeep/core';
import { expect, test } from 'vitest';
import type { Answer, Call, Change, Command } from './call.js';
import { formatContradiction } from './format-history.js';
import { unexplained } from './unexplained.js';

type Span = readonly [calledAt: number, returnedAt: number];

const unknown: Answer = { type: 'unknown' };
const revoked: Answer = { type: 'revoked' };

function refused(code: ErrorCode): Answer {
  return { type: 'refused', code };
}

/** Returns a call of a client. The credential has the name of the client by default. */
function call(
  [calledAt, returnedAt]: Span,
  request: Call['request'],
  answer: Answer,
  credential = 'c1',
): Call {
  return { client: 'client', credential, request, answer, calledAt, returnedAt };
}

function command(key: string, change: Change, text = `${key} text`): Command {
  return { type: 'command', subject: 'ann', key, change, text };
}

const create = (key: string): Command => command(key, { type: 'create' });

function update(key: string, expectedRevision: number, text?: string): Command {
  return command(key, { type: 'update', recordId: 'r1', expectedRevision }, text);
}

function remove(key: string, expectedRevision: number): Command {
  return command(key, { type: 'delete', recordId: 'r1', expectedRevision });
}

function restore(key: string, revision: number, expectedRevision: number): Command {
  return command(key, { type: 'restore', recordId: 'r1', revision, expectedRevision }, '');
}

function redact(key: string, revision: number): Command {
  return command(key, { type: 'redact', recordId: 'r1', revision }, '');
}

const ACTIONS = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  restore: 'restored',
  redact: 'redacted',
} as const;

function receipt({ key, change }: Command, revision: number, by = 'c1', record_id = 'r1'): Answer {
  return {
    type: 'receipt',
    receipt: {
      contract_version: 1,
      idempotency_key: key,
      record_id,
      revision,
      action: ACTIONS[change.type],
      committed_at_millis: revision,
      author: { credential_id: by, subject_id: 'ann' },
    },
  };
}

const read = { type: 'read', recordId: 'r1' } as const;

function shown(revision: number, text: string, author = 'c1'): Answer {
  return { type: 'shown', records: [{ recordId: 'r1', revision, text, author }] };
}

const nothing: Answer = { type: 'shown', records: [] };
const absent = refused('record_not_found');

const [a, b, c] = [create('a'), update('b', 1), update('c', 1)];
const made = call([0, 1], a, receipt(a, 1));

/** Returns the names of the unexplained objects. */
function faults(...calls: Call[]): string[] {
  return unexplained(calls).map(({ name }) => name);
}

test('a plain history is explained', () => {
  const gone = remove('d', 2);
  const calls = [
    made,
    call([2, 3], read, shown(1, 'a text')),
    call([4, 8], b, receipt(b, 2)),
    call([5, 9], c, refused('revision_conflict')),
    call([6, 7], read, shown(1, 'a text')),
    call([10, 11], { type: 'query' }, shown(2, 'b text')),
    call([12, 13], b, receipt(b, 2)),
    call([14, 15], update('b', 1, 'other text'), refused('idempotency_conflict')),
    call([16, 17], gone, receipt(gone, 3)),
    call([18, 19], read, absent),
    call([20, 21], { type: 'query' }, nothing),
    call([22, 23], a, receipt(a, 1)),
    call([24, 25], update('e', 3), absent),
    call([26, 27], update('e', 2), refused('revision_conflict')),
  ];
  expect(faults(...calls)).toEqual([]);
});

test('overlapping calls may have any order', () => {
  const late = call([2, 9], b, receipt(b, 2));
  expect(faults(made, late, call([3, 4], read, shown(2, 'b text')))).toEqual([]);
  expect(faults(made, late, call([5, 6], read, shown(1, 'a text')))).toEqual([]);
});

test('a call without an answer may have taken effect, and a retry may show it', () => {
  const cut = call([2, Infinity], b, unknown);
  expect(faults(made, cut, call([3, 4], read, shown(2, 'b text')))).toEqual([]);
  expect(faults(made, cut, call([3, 4], read, shown(1, 'a text')))).toEqual([]);
  expect(faults(made, cut, call([3, 4], b, receipt(b, 2)))).toEqual([]);
  expect(faults(made, cut, call([3, 4], c, receipt(c, 2)))).toEqual([]);
  const lost = call([0, Infinity], a, unknown);
  const found = call([2, 3], { type: 'query' }, shown(1, 'a text'));
  expect(faults(lost, found, call([4, 5], a, receipt(a, 1)))).toEqual([]);
});

test('two successful updates of one revision are a lost update', () => {
  const [one, other] = [call([2, 4], b, receipt(b, 2)), call([3, 5], c, receipt(c, 2))];
  expect(faults(made, one, other)).toEqual(['record r1']);
});

test('an old state after a newer one is a stale read, also in a query', () => {
  const changed = call([2, 3], b, receipt(b, 2));
  expect(faults(made, changed, call([4, 5], read, shown(1, 'a text')))).toEqual(['record r1']);
  expect(faults(made, changed, call([4, 5], { type: 'query' }, nothing))).toEqual(['record r1']);
  const open = call([2, 20], b, receipt(b, 2));
  const seen = call([3, 4], read, shown(2, 'b text'));
  expect(faults(made, open, seen, call([5, 6], read, shown(1, 'a text')))).toEqual(['record r1']);
});

test('the effect of a refused or unsent command is reported', () => {
  const refusal = call([2, 3], update('b', 7), refused('revision_conflict'));
  expect(faults(made, refusal, call([4, 5], read, shown(2, 'b text')))).toEqual(['record r1']);
  const strange = call([2, 3], read, shown(2, 'nobody wrote this'));
  expect(faults(made, strange)).toEqual([
    'record r1',
    'the effect of text nobody wrote this of nobody',
  ]);
});

test('a missing acknowledged change is reported', () => {
  expect(faults(made, call([2, 3], read, absent))).toEqual(['record r1']);
  const changed = call([2, 3], b, receipt(b, 2));
  expect(faults(made, changed, call([4, 5], c, receipt(c, 2)))).toEqual(['record r1']);
});

test('a successful update after a deletion, or of a future revision, is reported', () => {
  const gone = remove('d', 1);
  const after = update('e', 2);
  const calls = [
    made,
    call([2, 3], gone, receipt(gone, 2)),
    call([4, 5], after, receipt(after, 3)),
  ];
  expect(faults(...calls)).toEqual(['record r1']);
  const ahead = update('f', 3);
  expect(faults(made, call([2, 3], ahead, receipt(ahead, 4)))).toEqual(['record r1']);
});

test('two effects of one key are reported, on one record or on two', () => {
  const cut = call([2, Infinity], b, unknown);
  const again = update('b', 2);
  const twice = [cut, call([3, 4], again, receipt(again, 3)), call([5, 6], c, absent)];
  expect(faults(made, ...twice)).toContain('record r1');
  const lost = call([0, Infinity], a, unknown);
  const other = call([2, 3], a, receipt(a, 1, 'c1', 'r2'));
  const ghost = call(
    [4, 5],
    { type: 'query' },
    {
      type: 'shown',
      records: ['r1', 'r2'].map((recordId) => ({
        recordId,
        revision: 1,
        text: 'a text',
        author: 'c1',
      })),
    },
  );
  expect(faults(lost, other, ghost)).toEqual(['record r1', 'the effect of key a of ann']);
});

test('a changed receipt is reported', () => {
  const { receipt: first } = receipt(b, 2) as Extract<Answer, { type: 'receipt' }>;
  const later: Answer = { type: 'receipt', receipt: { ...first, committed_at_millis: 99 } };
  const calls = [made, call([2, 3], b, receipt(b, 2)), call([4, 5], b, later)];
  expect(faults(...calls)).toEqual(['key b of ann']);
});

test('a used key must refuse other commands, and must not refuse a replay', () => {
  const used = call([2, 3], b, receipt(b, 2));
  const other = update('b', 2, 'other text');
  expect(faults(made, used, call([4, 5], other, receipt(other, 3)))).toContain('key b of ann');
  expect(faults(made, used, call([4, 5], other, refused('revision_conflict')))).toContain(
    'key b of ann',
  );
  expect(faults(made, used, call([4, 5], b, refused('revision_conflict')))).toContain(
    'key b of ann',
  );
  expect(faults(made, call([2, 3], b, refused('idempotency_conflict')))).toEqual(['key b of ann']);
});

test('a change must show the credential that made it', () => {
  const cut = call([2, Infinity], b, unknown, 'c2');
  expect(faults(made, cut, call([3, 4], b, receipt(b, 2, 'c2')))).toEqual([]);
  expect(faults(made, cut, call([3, 4], read, shown(2, 'b text', 'c1')))).toEqual(['record r1']);
  expect(faults(made, call([3, 4], b, receipt(b, 2, 'c2')))).toEqual(['record r1']);
});

const revocation = call([4, 5], { type: 'revoke', credentialId: 'c2' }, revoked, 'admin');

test('calls in progress at a revocation may succeed, later ones are refused', () => {
  const before = call([2, 9], b, receipt(b, 2, 'c2'), 'c2');
  const after = call([6, 7], read, refused('unauthorized'), 'c2');
  expect(faults(made, before, revocation, after)).toEqual([]);
  const again = call([6, 7], revocation.request, refused('revision_conflict'), 'admin');
  expect(faults(made, revocation, again)).toEqual([]);
});

test('a revoked credential that is accepted later is reported', () => {
  const after = call([6, 7], b, receipt(b, 2, 'c2'), 'c2');
  expect(faults(made, revocation, after)).toContain('credential c2');
  const refusedEarly = call([2, 3], read, refused('unauthorized'), 'c2');
  expect(faults(made, refusedEarly)).toEqual(['credential c2']);
});

test('an effect of a revoked credential after the revocation is reported', () => {
  const cut = call([2, Infinity], b, unknown, 'c2');
  const seenBefore = call([6, 7], read, shown(1, 'a text'));
  const seenAfter = call([8, 9], read, shown(2, 'b text', 'c2'));
  expect(faults(made, cut, seenBefore, seenAfter)).toEqual([]);
  expect(faults(made, cut, revocation, seenBefore, seenAfter)).toEqual(['record r1']);
});

test('a refusal without a cause in the history is reported', () => {
  expect(faults(made, call([2, 3], read, refused('forbidden')))).toContain('refusals');
});

test('a contradiction is reported with few calls', () => {
  const reads = Array.from({ length: 30 }, (_, index) =>
    call([10 + 2 * index, 11 + 2 * index], read, shown(2, 'b text')),
  );
  const stale = call([100, 101], read, shown(1, 'a text'));
  const later = call([102, 103], read, shown(2, 'b text'));
  const calls = [made, call([2, 3], b, receipt(b, 2)), ...reads, stale, later];
  const told = unexplained(calls).map(formatContradiction);
  expect(told).toEqual([
    [
      'record r1: no order of these 2 of 34 calls explains them',
      '  [68 to 69] client (c1): read r1 -> r1 revision 2 "b text" by c1',
      '  [100 to 101] client (c1): read r1 -> r1 revision 1 "a text" by c1',
    ].join('\n'),
  ]);
});

test('restores and redactions are explained, in an order that allows them', () => {
  const [back, gone] = [restore('d', 1, 2), redact('e', 1)];
  const changed = call([2, 3], b, receipt(b, 2));
  const restored = call([4, 9], back, receipt(back, 3));
  const redacted = call([5, 8], gone, receipt(gone, 1));
  const look = call([10, 11], read, shown(3, 'a text'));
  expect(faults(made, changed, restored, redacted, look)).toEqual([]);
  const tooLate = call([12, 13], restore('f', 1, 3), absent);
  expect(faults(made, changed, restored, redacted, look, tooLate)).toEqual([]);
  const current = call([12, 13], redact('f', 3), refused('current_revision'));
  expect(faults(made, changed, restored, redacted, look, current)).toEqual([]);
});

test('a restore of what was redacted before, and a wrong text, are found', () => {
  const [back, gone] = [restore('d', 1, 2), redact('e', 1)];
  const changed = call([2, 3], b, receipt(b, 2));
  const redacted = call([4, 5], gone, receipt(gone, 1));
  const restored = call([6, 7], back, receipt(back, 3));
  expect(faults(made, changed, redacted, restored)).toEqual(['record r1']);
  const early = call([4, 5], back, receipt(back, 3));
  expect(faults(made, changed, early, call([6, 7], read, shown(3, 'b text')))).toEqual([
    'record r1',
  ]);
  const wrong = call([4, 5], redact('e', 1), refused('current_revision'));
  expect(faults(made, changed, wrong)).toEqual(['record r1']);
});

test('revisions are kept up to a number, and none beyond it', () => {
  const updates = Array.from({ length: 101 }, (_, at) => {
    const change = update(`u${at}`, at + 1);
    return call([2 * at + 2, 2 * at + 3], change, receipt(change, at + 2));
  });
  const calls = [made, ...updates];
  const [first, second] = [redact('e', 1), redact('f', 2)];
  const later = (request: Command, answer: Answer) => call([300, 301], request, answer);
  expect(faults(...calls, later(first, absent))).toEqual([]);
  expect(faults(...calls, later(second, receipt(second, 2)))).toEqual([]);
  expect(faults(...calls, later(second, absent))).toEqual(['record r1']);
  expect(faults(...calls, later(restore('g', 1, 102), absent))).toEqual([]);
});

const NAMES = { put: 'created', remove: 'deleted' } as const;

/** A command on names, each with the revision that its change makes. */
function named(key: string, ...changes: readonly (readonly ['put' | 'remove', string])[]) {
  return {
    type: 'named' as const,
    subject: 'ann',
    key,
    changes: changes.map(([type, name]) => ({ type, name, text: type === 'put' ? key : '' })),
  };
}

function outcomes(of: ReturnType<typeof named>, recordId = 'r1', revision = 1): Answer {
  const all = of.changes.map(({ type }) => ({ recordId, revision, action: NAMES[type] }));
  return { type: 'outcomes', outcomes: all };
}

const lookUp = (name: string) => ({ type: 'look up', name }) as const;
const shownAs = (name: string, text: string): Answer => ({
  type: 'shown',
  records: [{ recordId: 'r1', revision: 1, text, author: 'c1', name }],
});

test('names that are put, looked up, listed and removed are explained', () => {
  const put = named('n1', ['put', 'a 1']);
  const remove = named('n2', ['remove', 'a 1']);
  const calls = [
    call([1, 2], lookUp('a 1'), nothing),
    call([3, 6], put, outcomes(put)),
    call([4, 5], lookUp('a 1'), shownAs('a 1', 'n1')),
    call([7, 8], { type: 'list names' }, shownAs('a 1', 'n1')),
    call([9, 10], remove, outcomes(remove, 'r1', 2)),
    call([11, 12], remove, outcomes(remove, 'r1', 2)),
    call([13, 14], named('n3', ['remove', 'a 1']), refused('record_not_found')),
    call([15, 16], put, outcomes(put)),
    call([17, 18], lookUp('a 1'), nothing),
  ];
  expect(unexplained(calls)).toEqual([]);
});

test.each([
  ['half a batch', lookUp('b 1'), nothing],
  ['a list without the other half', { type: 'list names' } as const, shownAs('a 1', 'n1')],
  ['another text', lookUp('a 1'), shownAs('a 1', 'n9')],
])('%s is reported', (_, request, answer) => {
  const put = named('n1', ['put', 'a 1'], ['put', 'b 1']);
  const calls = [call([1, 2], put, outcomes(put)), call([3, 4], request, answer)];
  expect(unexplained(calls).map(({ name }) => name)).toEqual(['the names of generation 1']);
});

test('a batch without an answer took effect as a whole or not at all', () => {
  const put = named('n1', ['put', 'a 1'], ['put', 'b 1']);
  const lost = call([1, Infinity], put, unknown);
  const look = (name: string, answer: Answer, at: number) =>
    call([at, at + 1], lookUp(name), answer);
  const whole = [lost, look('a 1', shownAs('a 1', 'n1'), 2), look('b 1', shownAs('b 1', 'n1'), 4)];
  const none = [lost, look('a 1', nothing, 2), look('b 1', nothing, 4)];
  const half = [lost, look('a 1', shownAs('a 1', 'n1'), 2), look('b 1', nothing, 4)];
  expect([whole, none, half].map((calls) => unexplained(calls).length)).toEqual([0, 0, 1]);
});
