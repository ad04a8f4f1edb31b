/** What happens in random histories with people: some are acted for, and some are invited. */
import { expect } from 'vitest';
import { inBranch, texted, textsIn } from '../branches/harness.js';
import { outcome, result } from '../harness/answer.js';
import { scope, sharedScope } from '../harness/documents.js';
import { codeFor, enter } from '../invitations/invitation-fixture.js';
import { type Actions, chosen, type HistoryWorld, version } from './history-world.js';

/** A service acts for customers. */
export const delegation: Actions = {
  actFor: async (w) => {
    const capabilities = ['memory_read', 'memory_write', 'act_for'];
    const act_for = { mode: 'all' };
    const support = await w.t.agent({ subject_id: 'support', capabilities, act_for });
    const id = w.newText('customer');
    const document = { ...version, subject_id: id, expires_in_seconds: 900 };
    const issued = result(await support.call('issueSubjectToken', { document }));
    const caller = support.with(issued.access_token);
    const text = w.newText('for-customer');
    await caller.created(scope, texted(text));
    const { where } = await inBranch(caller, { name: w.newText('trial') });
    const draft = w.newText('draft-for-customer');
    await caller.created(where, texted(draft));
    await w.write(caller, w.newText('by-customer'));
    w.persons.push({ id, caller, texts: [text, draft] });
    expect(await textsIn(caller, scope)).toEqual([text]);
    expect(await textsIn(support, scope)).toEqual([]);
  },
};

/** Guests are invited, and come later. */
export const invitations: Actions = {
  invite: async (w) => {
    const id = w.newText('guest');
    w.invited.set(id, await codeFor(w.t, id, { role: 'writer', scopes: [scope, sharedScope] }));
  },
  enter: async (w, pick) => {
    const [id, code] = chosen(w.invited, pick) ?? [];
    if (id === undefined || code === undefined) return;
    const caller = await enter(w.t, id, code);
    w.invited.delete(id);
    const text = w.newText('of-guest');
    await caller.created(scope, texted(text));
    w.persons.push({ id, caller, texts: [text] });
    await w.write(caller, w.newText('by-guest'));
  },
};

/** Bob is blocked for a moment. What he shared stays there. */
export const blocks: Actions = {
  blockBob: async (w, pick) => {
    await setBlocked(w, true);
    expect(outcome(await w.bob.query(sharedScope))).toBe('403 subject_blocked');
    expect(outcome(await w.bob.create(sharedScope))).toBe('403 subject_blocked');
    const [id, record] = chosen(w.shared, pick) ?? [];
    if (id !== undefined) {
      const { payload } = result(await w.alice.read(sharedScope, id)).record;
      expect(payload.content.primary).toBe(record?.text);
    }
    await setBlocked(w, false);
    result(await w.bob.query(sharedScope));
  },
};

async function setBlocked({ t }: HistoryWorld, is_blocked: boolean): Promise<void> {
  const found = await t.admin.call('getSubject', { id: 'bob' });
  const isThere = outcome(found) !== '404 subject_not_found';
  const expected_revision = isThere ? result(found).subject.revision : 0;
  const document = { ...version, expected_revision, is_blocked };
  result(await t.admin.call('putSubject', { id: 'bob', document }));
}
