/** Cases of writes while an erasure runs (docs/contract/erasure.md). */
import { continueErasures, runtimeOf, verifyErasureOfStore } from '@agentkeep/core/operator';
import { expect } from 'vitest';
import { compare, inBranch, texted, textsIn } from '../branches/harness.js';
import { type Answer, outcome, refused, result } from '../harness/answer.js';
import { type Caller, freshKey, type Members } from '../harness/caller.js';
import { missionScope, scope, sharedScope } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';
import { propose, proposed, proposerOf, reviewerOf, submit } from '../review/harness.js';
import { finished, ofSubject, start, version } from './erasure-kit.js';

const RUNNING = '409 erasure_in_progress';
const theShared = { kind: 'scope', scope: sharedScope };

/** Holds erasures that are asked for, until the returned function is called. */
function heldErasures({ keep }: Fixture): () => void {
  const runtime = runtimeOf(keep);
  const go = continueErasures.of(runtime);
  const { slot, answer } = continueErasures.answeredBy(() => undefined);
  Object.defineProperty(runtime.ports, slot, { value: answer });
  return go;
}

async function exported(caller: Caller): Promise<string> {
  const document = { ...version, of: { type: 'tenant' } };
  return result(await caller.call('exportMemory', { document })).page.text;
}

const imported = (caller: Caller, text: string, isDry = false) =>
  caller.call('importMemory', { document: { ...version, text, dry_run: isDry } });

const merging = (caller: Caller, id: string, members: Members) =>
  caller.call('mergeMemoryBranch', {
    id,
    document: { ...version, idempotency_key: freshKey(), ...members },
  });

/** Calls that write, by what they do. */
type Writes = Readonly<Record<string, () => Promise<Pick<Answer, 'status' | 'body'>>>>;

async function outcomesOf(writes: Writes): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  for (const [name, write] of Object.entries(writes)) outcomes[name] = outcome(await write());
  return outcomes;
}

const allOf = (writes: Writes, answer: string): Record<string, string> =>
  Object.fromEntries(Object.keys(writes).map((name) => [name, answer]));

/** A shared scope with a record, branches over it, and a proposal; with what writes there. */
async function filled(t: Fixture) {
  const bob = await t.agent({ subject_id: 'bob' });
  const rita = await reviewerOf(t);
  const record = await bob.created(sharedScope, texted('outside'));
  const over = (name: string) => inBranch(bob, { name, scopes: [sharedScope] });
  const [written, untouched] = [await over('written'), await over('untouched')];
  const inWritten = { ...sharedScope, branch: written.id };
  const draft = await bob.created(inWritten, texted('draft'));
  const waiting = await proposed(await proposerOf(t, { subject_id: 'eve' }), 'proposed');
  const { digest } = await compare(bob, written.id);
  const decided = { digest: (await compare(rita, waiting.id)).digest };
  const text = await exported(t.admin);
  const create = { type: 'create', record: texted('more') };
  const another = { ...version, name: 'another', scopes: [missionScope, sharedScope] };
  const writes: Writes = {
    create: () => bob.create(sharedScope, texted('more')),
    update: () => bob.update(sharedScope, [record, 1], texted('more')),
    delete: () => bob.delete(sharedScope, [record, 1]),
    batch: () =>
      bob.batch([
        [missionScope, create],
        [sharedScope, create],
      ]),
    'in a branch': () => bob.create(inWritten, texted('more')),
    'in an untouched branch': () =>
      bob.create({ ...sharedScope, branch: untouched.id }, texted('more')),
    'delete in a branch': () => bob.delete(inWritten, [draft, 1]),
    'make a branch': () => bob.call('createMemoryBranch', { document: another }),
    propose: () => propose(bob, create),
    retention: () => t.admin.setRetention({}, 0, sharedScope),
    import: () => imported(t.admin, text),
    'dry import': () => imported(t.admin, text, true),
  };
  // The erasure takes the branches away, which is 404 then.
  const ofBranches: Writes = {
    submit: () => submit(bob, untouched.id),
    merge: () => merging(bob, written.id, { digest }),
    'dry merge': () => merging(bob, written.id, { digest, dry_run: true }),
    'merge a proposal': () => merging(rita, waiting.id, decided),
  };
  return { bob, writes, ofBranches };
}

// ERA-9, BRA-24, XPT-14, HIS-30
testCase('ERA-C21 from the request on nothing is written in it, nor over it', async (t) => {
  const { bob, writes, ofBranches } = await filled(t);
  const go = heldErasures(t);
  const { erasure } = result(await start(t.admin, theShared));
  const all = { ...writes, ...ofBranches };
  expect(await outcomesOf(all)).toEqual(allOf(all, RUNNING));
  expect(outcome(await bob.create(missionScope, texted('elsewhere')))).toBe('200');
  go();
  await finished(t, erasure.id);
  expect(await textsIn(bob, sharedScope)).toEqual([]);
  const after = await outcomesOf({ create: writes['create']!, ...ofBranches });
  expect(after).toEqual({ create: '200', ...allOf(ofBranches, '404 branch_not_found') });
  expect(await textsIn(bob, sharedScope)).toEqual(['more']);
});

// ERA-9
testCase('ERA-C21 nor at any moment before its end', async (t) => {
  const { bob, writes, ofBranches } = await filled(t);
  const { erasure } = result(await start(t.admin, theShared));
  for (;;) {
    const seen = await outcomesOf(writes);
    const ofGone = await outcomesOf(ofBranches);
    // Asked after the writes, so that all of them were before the end.
    const { status } = result(await t.admin.call('getErasure', { id: erasure.id })).erasure;
    if (status === 'finished') break;
    expect(seen).toEqual(allOf(writes, RUNNING));
    for (const each of Object.values(ofGone)) {
      expect([RUNNING, '404 branch_not_found']).toContain(each);
    }
  }
  // Only the last round can have written anything, after the end.
  expect((await textsIn(bob, sharedScope)).every((text) => text === 'more')).toBe(true);
});

// ERA-9, ERA-11
testCase('ERA-C21 nothing is written by a subject, nor for it', async (t) => {
  const alice = await t.agent();
  const bob = await t.agent({ subject_id: 'bob' });
  const rita = await reviewerOf(t);
  await alice.created(scope, texted('private'));
  const both = await inBranch(alice, { scopes: [scope, sharedScope] });
  const shared = await inBranch(alice, { name: 'shared', scopes: [sharedScope] });
  const waiting = await proposed(await proposerOf(t), 'proposed');
  const decided = { digest: (await compare(rita, waiting.id)).digest };
  const ofBranch = { digest: (await compare(alice, both.id)).digest };
  const ofShared = { digest: (await compare(alice, shared.id)).digest };
  const text = await exported(t.admin);
  const go = heldErasures(t);
  const { erasure } = result(await start(t.admin, ofSubject('alice')));
  const writes: Writes = {
    private: () => alice.create(scope, texted('more')),
    shared: () => alice.create(sharedScope, texted('more')),
    'in a branch': () => alice.create({ ...sharedScope, branch: both.id }, texted('more')),
    'merge a branch': () => merging(alice, both.id, ofBranch),
    'merge a shared branch': () => merging(alice, shared.id, ofShared),
    submit: () => submit(alice, shared.id),
    'merge a proposal': () => merging(rita, waiting.id, decided),
    import: () => imported(t.admin, text),
  };
  expect(await outcomesOf(writes)).toEqual(allOf(writes, RUNNING));
  expect(outcome(await bob.create(scope, texted('of bob')))).toBe('200');
  expect(outcome(await bob.create(sharedScope, texted('of bob')))).toBe('200');
  go();
  await finished(t, erasure.id);
  const target = { kind: 'subject', subject_id: 'alice' } as const;
  const report = await verifyErasureOfStore(t.store, { tenantId: 'acme', target });
  expect(report.status).toBe('clean');
  expect(await textsIn(bob, sharedScope)).toEqual(['of bob']);
});

// ERA-9
testCase('ERA-C21 two erasures of one scope end one after the other', async (t) => {
  const bob = await t.agent({ subject_id: 'bob' });
  await bob.created(sharedScope);
  const go = heldErasures(t);
  const first = result(await start(t.admin, theShared)).erasure;
  const second = result(await start(t.admin, theShared)).erasure;
  expect(outcome(await bob.create(sharedScope))).toBe(RUNNING);
  go();
  await finished(t, first.id);
  await finished(t, second.id);
  expect(outcome(await bob.create(sharedScope))).toBe('200');
});

// ERA-11, DLG-23
testCase('DLG-26 an erasure is no block, and a block changes no erasure', async (t) => {
  const put = (id: string, expected_revision: number, is_blocked: boolean) =>
    t.admin.call('putSubject', { id, document: { ...version, expected_revision, is_blocked } });
  const stated = async (id: string) => {
    const answer = await t.admin.call('getSubject', { id });
    return answer.status === 200 ? result(answer).subject.is_blocked : outcome(answer);
  };
  const service = await t.agent({ capabilities: ['act_for'], act_for: { mode: 'all' } });
  const token = async (subject_id: string) =>
    outcome(await service.call('issueSubjectToken', { document: { ...version, subject_id } }));
  const names = ['unstated', 'open', 'blocked'];
  const own = await Promise.all(names.map((subject_id) => t.agent({ subject_id })));
  result(await put('open', 0, false));
  result(await put('blocked', 0, true));
  const go = heldErasures(t);
  const started = await Promise.all(names.map((id) => start(t.admin, ofSubject(id))));
  expect(await Promise.all(names.map(stated))).toEqual(['404 subject_not_found', false, true]);
  expect(await Promise.all(names.map(token))).toEqual(Array(3).fill('403 subject_erased'));
  expect(await Promise.all(names.map(async (id) => outcome(await put(id, 1, false))))).toEqual(
    Array(3).fill(RUNNING),
  );
  const read = () => Promise.all(own.map(async (each) => outcome(await each.whoAmI())));
  const write = () => Promise.all(own.map(async (each) => outcome(await each.create(scope))));
  expect(await read()).toEqual(['200', '200', '403 subject_blocked']);
  expect(await write()).toEqual([RUNNING, RUNNING, '403 subject_blocked']);
  go();
  for (const each of started) await finished(t, result(each).erasure.id);
  expect(await read()).toEqual(Array(3).fill(refused.unauthorized));
  expect(await Promise.all(names.map(stated))).toEqual(Array(3).fill('404 subject_not_found'));
});
