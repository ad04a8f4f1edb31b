/** What each capability leaves in a tenant, and how it shows that this is still there. */
import type { CapabilityName } from '@agentkeep/testkit/pair-matrix';
import { eventually } from '@agentkeep/testkit/eventually';
import { expect } from 'vitest';
import { inBranch, merge, textsIn } from '../branches/harness.js';
import { erased, ofSubject, wholeStore } from '../erasure/erasure-kit.js';
import { exported, imported, ofTenant } from '../exports/export-fixture.js';
import { outcome, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { recordOf, scope, sharedScope } from '../harness/documents.js';
import { type Fixture, tenant } from '../harness/fixture.js';
import type { GlobalCaller } from '../harness/global-caller.js';
import { codeFor, enter } from '../invitations/invitation-fixture.js';
import { idsOf, proposed, proposerOf } from '../review/harness.js';
import { PASSWORD } from '../users/user-fixture.js';
import { webhookSteps } from './webhook-pairs.js';

const version = { contract_version: 1 };
const texted = (primary: string, members: Members = {}): Members => ({
  ...recordOf({ primary }),
  ...members,
});

/** A tenant in which capabilities are tried. */
export interface World {
  readonly t: Fixture;
  readonly master: GlobalCaller;
  /** Reads, writes and reviews in the scopes of all. */
  readonly alice: Caller;
}

/** Opens a world in a tenant. */
export async function worldIn(t: Fixture): Promise<World> {
  const capabilities = ['memory_read', 'memory_write', 'memory_review'];
  return { t, master: await t.master(), alice: await t.agent({ capabilities }) };
}

/** Checks that what a step left is still as it was. */
type Check = () => Promise<void>;

/** Changes the retention or the review of the tenant or a scope, and leaves the rest as it is. */
export async function settle(admin: Caller, members: Members, where?: Members): Promise<void> {
  const { revision, retention: before } = result(await admin.retention(where ?? {}));
  const { retention, ...others } = members;
  const changed = { ...before, ...Object(retention) };
  const document = { ...version, expected_revision: revision, retention: changed, ...others };
  const placed = where === undefined ? {} : { scope: where };
  result(await admin.call('setMemoryRetention', { document: { ...document, ...placed } }));
}

const textOf = async (agent: Caller, where: Members, id: string): Promise<string> =>
  result(await agent.read(where, id)).record.payload.content.primary;

/** The proposal that a command became. */
function idOf(answer: Awaited<ReturnType<Caller['create']>>): string {
  const { proposal } = result(answer).receipt;
  if (proposal === undefined) throw new Error('The command did not wait for a review.');
  return proposal.id;
}

/** Each leaves something, and returns what checks it. */
export const steps: Readonly<Partial<Record<CapabilityName, (world: World) => Promise<Check>>>> = {
  branches: async ({ alice }) => {
    const outside = await alice.created(sharedScope, texted('outside'));
    const members = { scopes: [sharedScope], name: 'trial of pairs' };
    const { id, branch } = await inBranch(alice, members);
    const where = { ...sharedScope, branch: id };
    result(await alice.update(where, [outside, 1], texted('inside')));
    return async () => {
      expect(await textOf(alice, where, outside)).toBe('inside');
      expect(await textOf(alice, sharedScope, outside)).toBe('outside');
      expect(await textsIn(alice, where)).toContain('inside');
      const shown = result(await alice.call('getMemoryBranch', { id, parameters: version }));
      // A position is sealed anew each time.
      expect(shown.branch).toEqual({ ...branch, position: expect.any(String) as string });
    };
  },

  proposals: async ({ t }) => {
    const capabilities = ['memory_read', 'memory_propose'];
    const author = await proposerOf(t, { subject_id: 'paula', capabilities });
    const { id } = await proposed(author, 'waits for review');
    return async () => {
      const parameters = { ...version, state: 'proposed' };
      const { page } = result(await author.call('listMemoryProposals', { parameters }));
      expect(page.items.map((each) => each.id)).toContain(id);
      expect(await textsIn(author, sharedScope)).not.toContain('waits for review');
    };
  },

  as_of: async ({ t, alice }) => {
    const id = await alice.created(scope, texted('as it was'));
    const { page } = result(await alice.changes({ after: 'latest' }));
    const as_of = { cursor: page.next_after };
    t.clock.advance(1_000);
    result(await alice.update(scope, [id, 1], texted('as it is')));
    return async () => {
      const { records } = result(await alice.query(scope, undefined, { as_of })).page;
      const texts = records.map(({ payload }) => payload.content.primary);
      expect(texts).toContain('as it was');
      expect(texts).not.toContain('as it is');
    };
  },

  lineage: async ({ alice }) => {
    const source = await alice.created(sharedScope, texted('a source'));
    const derived_from = [{ record_id: source, revision: 1 }];
    const derived = await alice.created(sharedScope, texted('derived', { derived_from }));
    return async () => {
      const { record } = result(await alice.read(sharedScope, derived));
      expect(record.payload.derived_from).toMatchObject(derived_from);
      expect(record).not.toHaveProperty('lost_sources');
    };
  },

  consumers: async ({ alice }) => {
    const id = 'pairs';
    const holder = { ...version, holder: 'worker' };
    result(await alice.call('claimConsumer', { id, document: holder }));
    const made = await alice.created(scope, texted('to be consumed'));
    return async () => {
      const { page } = result(await alice.call('readConsumer', { id, document: holder }));
      expect(page.changes.map(({ record_id }) => record_id)).toContain(made);
    };
  },

  exports: async ({ t, alice }) => {
    const id = await alice.created(sharedScope, texted('exported'));
    return async () => {
      const text = await exported(t.admin, ofTenant, { with_history: true });
      expect(text).toContain(id);
      expect(text.trimEnd().split('\n').at(-1)).toContain('"manifest"');
    };
  },

  imports: async ({ t, alice }) => {
    await using other = await tenant(t.driver);
    const writer = await other.agent();
    const id = await writer.created(sharedScope, texted('imported'));
    const text = await exported(other.admin);
    expect(await imported(t.admin, text)).toMatchObject({ stored: 1, refused: 0 });
    return async () => {
      expect(await textOf(alice, sharedScope, id)).toBe('imported');
      expect(await imported(t.admin, text)).toMatchObject({ stored: 0, unchanged: 1 });
    };
  },

  erasure: async ({ t }) => {
    const name = 'person-to-erase';
    const person = await t.agent({ subject_id: name });
    await person.created(scope, texted('canary of the erased'));
    await erased(t, ofSubject(name));
    return async () => {
      expect(await exported(t.admin, ofTenant, { with_history: true })).not.toContain(
        'canary of the erased',
      );
      expect(await wholeStore(t)).not.toContain('canary of the erased');
    };
  },

  encryption: async ({ t, alice }) => {
    const id = await alice.created(sharedScope, texted('canary that is sealed'));
    return async () => {
      expect(await textOf(alice, sharedScope, id)).toBe('canary that is sealed');
      expect(await wholeStore(t)).not.toContain('canary that is sealed');
    };
  },

  delegation: async ({ t }) => {
    const capabilities = ['memory_read', 'memory_write', 'act_for'];
    const act_for = { mode: 'all' };
    const support = await t.agent({ subject_id: 'support', capabilities, act_for });
    const document = { ...version, subject_id: 'customer', expires_in_seconds: 900 };
    const issued = result(await support.call('issueSubjectToken', { document }));
    const acting = support.with(issued.access_token);
    const id = await acting.created(scope, texted('of the customer'));
    return async () => {
      expect(await textOf(acting, scope, id)).toBe('of the customer');
      expect(await textsIn(support, scope)).not.toContain('of the customer');
    };
  },

  ...webhookSteps,

  quotas: async ({ master }) => {
    const limits = { max_entries: 100_000, max_bytes: null };
    result(await master.setQuota('acme', limits));
    return async () => {
      // What the tenant had before is counted beside other work.
      const { quota, use } = await eventually(async () => {
        const shown = result(await master.quotaOf('acme'));
        expect(shown.use?.is_complete).toBe(true);
        return shown;
      });
      expect(quota).toEqual(limits);
      expect(use?.entries).toBeGreaterThan(0);
    };
  },

  retention: async ({ t, alice }) => {
    await settle(t.admin, { retention: { deleted_days: 9 } }, sharedScope);
    await settle(t.admin, { retention: { deleted_days: 9 } });
    const id = await alice.created(sharedScope, texted('deleted and kept'));
    result(await alice.delete(sharedScope, [id, 1]));
    let revision = 2;
    return async () => {
      const { receipt } = result(await alice.restore(sharedScope, id, 1, revision));
      expect(await textOf(alice, sharedScope, id)).toBe('deleted and kept');
      result(await alice.delete(sharedScope, [id, receipt.revision]));
      revision = receipt.revision + 1;
    };
  },

  reads: async ({ t, alice }) => {
    await settle(t.admin, { retention: { read_days: 30 } });
    const reader = await t.agent({ subject_id: 'reader-of-pairs' });
    const id = await alice.created(sharedScope, texted('read by somebody'));
    let count = 0;
    const readAgain = async (): Promise<void> => {
      result(await reader.read(sharedScope, id));
      count += 1;
      const { items } = result(await t.admin.readers(sharedScope, id)).page;
      const own = items.find(({ subject_id: who }) => who === 'reader-of-pairs');
      expect(own?.reads).toBe(count);
    };
    await readAgain();
    return readAgain;
  },

  review: async ({ t, alice }) => {
    await settle(t.admin, { review: 'required' }, sharedScope);
    const writer = await t.agent({ subject_id: 'walter' });
    const agreed = await writer.create(sharedScope, texted('agreed to'), 'agreed');
    result(await merge(alice, idOf(agreed)));
    const waiting = await writer.create(sharedScope, texted('to be reviewed'), 'waits');
    return async () => {
      expect(await textsIn(writer, sharedScope)).toContain('agreed to');
      expect(await textsIn(alice, sharedScope)).not.toContain('to be reviewed');
      expect(await idsOf(alice)).toContain(idOf(waiting));
      expect(await idsOf(alice)).not.toContain(idOf(agreed));
      const again = await writer.create(sharedScope, texted('to be reviewed'), 'waits');
      expect([again.status, idOf(again)]).toEqual([202, idOf(waiting)]);
      const shown = result(await t.admin.retention(sharedScope));
      expect(shown).toMatchObject({ review: 'required', effective_review: 'required' });
    };
  },
  superseding: async ({ alice }) => {
    const old = await alice.created(sharedScope, texted('held before'));
    const supersedes = [{ record_id: old, revision: 1 }];
    const made = await alice.created(sharedScope, texted('holds now', { supersedes }));
    return async () => {
      const texts = await textsIn(alice, sharedScope);
      expect(texts).toContain('holds now');
      expect(texts).not.toContain('held before');
      const filter = { include_superseded: true, text_contains: 'held before' };
      const { matches } = result(await alice.search([sharedScope], { filter })).page;
      expect(matches.map(({ record }) => record.payload.superseded_by)).toEqual([made]);
      const best = { order: 'best_words', successors: true };
      const words = { text: '"held before"' };
      const lent = result(await alice.search([sharedScope], { filter: { words }, ...best })).page;
      expect(lent.matches.map((match) => [match.record.record_id, match.in_place_of])).toEqual([
        [made, old],
      ]);
    };
  },

  blocks: async ({ t, alice }) => {
    const subject = 'blocked-in-pairs';
    const capabilities = ['memory_read', 'memory_write', 'memory_review'];
    const paused = await t.agent({ subject_id: subject, capabilities });
    const id = await paused.created(scope, texted('of the blocked'));
    const shared = await paused.created(sharedScope, texted('shared by the blocked'));
    let revision = 0;
    const block = async (is_blocked: boolean): Promise<void> => {
      const document = { ...version, expected_revision: revision, is_blocked, reason: 'a trial' };
      ({ revision } = result(await t.admin.call('putSubject', { id: subject, document })).subject);
    };
    await block(true);
    return async () => {
      expect(outcome(await paused.read(scope, id))).toBe('403 subject_blocked');
      expect(outcome(await paused.create(sharedScope))).toBe('403 subject_blocked');
      // What it shared is there for the others.
      expect(await textOf(alice, sharedScope, shared)).toBe('shared by the blocked');
      await block(false);
      expect(await textOf(paused, scope, id)).toBe('of the blocked');
      await block(true);
    };
  },

  invitations: async ({ t, alice }) => {
    const username = 'guest@x.test';
    const members = { role: 'writer', scopes: [scope, sharedScope] };
    const code = await codeFor(t, username, members);
    const shown = await alice.created(sharedScope, texted('for the invited'));
    let guest: Caller | undefined;
    return async () => {
      const isNew = guest === undefined;
      guest ??= await enter(t, username, code);
      expect(await textOf(guest, sharedScope, shown)).toBe('for the invited');
      if (isNew) await guest.created(scope, texted('of the invited'));
      expect(await textsIn(guest, scope)).toEqual(['of the invited']);
      const again = { document: { code, password: PASSWORD } };
      const answer = await t.transport('acceptInvitation', undefined, again);
      expect(outcome(answer)).toBe('410 invitation_ended');
    };
  },
};
