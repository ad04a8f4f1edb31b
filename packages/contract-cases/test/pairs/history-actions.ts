/** What happens in random histories: the actions of each capability, and ordinary commands. */
import type { CapabilityName } from '@agentkeep/testkit/pair-matrix';
import { expect } from 'vitest';
import { dropBranch, inBranch, merge, texted } from '../branches/harness.js';
import { erased, ofSubject } from '../erasure/erasure-kit.js';
import { exported, imported, ofTenant } from '../exports/export-fixture.js';
import { outcome, result } from '../harness/answer.js';
import { freshKey } from '../harness/caller.js';
import { scope, sharedScope } from '../harness/documents.js';
import { tenant } from '../harness/fixture.js';
import { proposed, proposerOf, reject } from '../review/harness.js';
import { settle } from './capability-steps.js';
import { blocks, delegation, invitations } from './history-people.js';
import {
  type Action,
  type Actions,
  chosen,
  doomedScope,
  entriesIn,
  type HistoryWorld,
  textsOf,
  version,
} from './history-world.js';
import { webhookActions } from './webhook-pairs.js';

/** Commands that belong to no capability. */
export const ordinary: Actions = {
  write: (w) => w.write(w.bob, w.newText('note')),
  writePrivately: async (w) => {
    const text = w.newText('own');
    w.show(w.own, await w.alice.created(scope, texted(text)), text);
  },
  batch: async (w) => {
    const texts = [w.newText('first'), w.newText('second')];
    const commands = texts.map((text) => [sharedScope, { type: 'create', record: texted(text) }]);
    const { receipt } = result(await w.alice.batch(commands as never));
    for (const [at, made] of receipt.outcomes.entries()) {
      w.show(w.shared, made.record_id, texts[at]!);
    }
  },
  update: async (w, pick) => {
    const records = pick % 2 === 0 ? w.shared : w.own;
    const [id, before] = chosen(records, pick) ?? [];
    if (id === undefined || before === undefined) return;
    const text = w.newText('later');
    const where = records === w.shared ? sharedScope : scope;
    result(await w.alice.update(where, [id, before.revision], texted(text)));
    w.show(records, id, text, before.revision + 1);
  },
  delete: async (w, pick) => {
    const [id, before] = chosen(w.shared, pick) ?? [];
    if (id === undefined || before === undefined) return;
    result(await w.alice.delete(sharedScope, [id, before.revision]));
    w.shared.delete(id);
    // What is deleted for good is gone in branches that haven't written it, too.
    const others = w.keepsDeleted ? [] : w.branches.filter(({ written }) => !written.has(id));
    for (const { view } of others) view.delete(id);
  },
  redact: async (w) => {
    const [secret, kept] = [w.newText('secret'), w.newText('harmless')];
    const id = await w.alice.created(sharedScope, texted(secret));
    result(await w.alice.update(sharedScope, [id, 1], texted(kept)));
    result(await w.alice.redact(sharedScope, id, 1));
    w.show(w.shared, id, kept, 2);
    w.gone.push(secret);
  },
  repeat: async (w, pick) => {
    const before = chosen(w.sent, pick);
    if (before === undefined) return;
    const { key, text, recordId, proposal } = before;
    const answer = await w.bob.create(sharedScope, texted(text), key);
    if (outcome(answer) === '409 branch_closed') {
      expect(proposal === undefined || w.waiting.has(proposal)).toBe(false);
      return;
    }
    const { receipt } = result(answer);
    expect([receipt.record_id, receipt.proposal?.id]).toEqual([recordId, proposal]);
  },
  takeCopy: async (w) => {
    w.copy = await w.t.store.read(entriesIn);
  },
  passTime: (w) => {
    w.t.clock.advance(10_000);
    return Promise.resolve();
  },
};

const accept: Action = async (w, pick) => {
  const [id] = chosen(w.waiting, pick) ?? [];
  if (id !== undefined) await w.accept(id);
};

const rejectOne: Action = async (w, pick) => {
  const [id] = chosen(w.waiting, pick) ?? [];
  if (id === undefined) return;
  result(await reject(w.alice, id));
  w.waiting.delete(id);
};

const withdraw: Action = async (w, pick) => {
  const [id, waiting] = chosen(w.waiting, pick) ?? [];
  if (id === undefined || waiting === undefined) return;
  result(await dropBranch(waiting.author, id));
  w.waiting.delete(id);
};

const branches: Actions = {
  openBranch: async (w) => {
    if (w.branches.length === 3) return;
    const members = { scopes: [sharedScope], name: w.newText('branch') };
    const { id } = await inBranch(w.alice, members);
    const where = { ...sharedScope, branch: id };
    w.branches.push({ id, where, view: new Map(w.shared), made: new Map(), written: new Set() });
  },
  writeInBranch: async (w, pick) => {
    const branch = chosen(w.branches, pick);
    if (branch === undefined) return;
    const text = w.newText('draft');
    const id = await w.alice.created(branch.where, texted(text));
    for (const records of [branch.view, branch.made]) w.show(records, id, text);
    branch.written.add(id);
  },
  mergeBranch: async (w, pick) => {
    const branch = chosen(w.branches, pick);
    if (branch === undefined) return;
    const merged = result(await merge(w.alice, branch.id)).merge;
    expect(merged).toMatchObject({ state: 'merged', merged: branch.made.size });
    for (const [id, { text }] of branch.made) w.show(w.shared, id, text);
    branch.made.clear();
  },
  dropBranch: async (w, pick) => {
    const branch = chosen(w.branches, pick);
    if (branch === undefined) return;
    result(await dropBranch(w.alice, branch.id));
    w.branches.splice(w.branches.indexOf(branch), 1);
    expect(outcome(await w.alice.query(branch.where))).toBe('404 branch_not_found');
  },
};

const proposals: Actions = {
  propose: async (w) => {
    const author = await proposerOf(w.t, { subject_id: 'paula' });
    const text = w.newText('proposal');
    const { id, receipt } = await proposed(author, text);
    w.waiting.set(id, { recordId: receipt.record_id, text, author });
  },
  accept,
  reject: rejectOne,
  withdraw,
};

const review: Actions = {
  requireReview: async (w) => {
    await settle(w.t.admin, { review: 'required' }, sharedScope);
    w.isReviewed = true;
  },
  endReview: async (w) => {
    await settle(w.t.admin, { review: 'none' }, sharedScope);
    w.isReviewed = false;
  },
  writeToReview: ordinary['write']!,
  accept,
  reject: rejectOne,
  withdraw,
};

const keepDeleted: Action = async (w, pick) => {
  await settle(w.t.admin, { retention: { deleted_days: 9 + (pick % 9) } });
  w.keepsDeleted = true;
};

const asOf: Actions = {
  markState: async (w, pick) => {
    // A state is gone once what was deleted after it isn't kept.
    await keepDeleted(w, pick);
    const { page } = result(await w.alice.changes({ after: 'latest' }));
    const texts = textsOf(w.shared);
    const as_of = { cursor: page.next_after };
    w.t.clock.advance(1_000);
    w.checks.push(async () => {
      const { records } = result(await w.alice.query(sharedScope, undefined, { as_of })).page;
      const found = records.map(({ payload }) => payload.content.primary);
      expect(found.toSorted()).toEqual(texts);
    });
  },
};

const lineage: Actions = {
  derive: async (w, pick) => {
    const records = pick % 2 === 0 ? w.shared : w.doomed;
    const [source, before] = chosen(records, pick) ?? [];
    if (source === undefined || before === undefined) return;
    const from = records === w.shared ? sharedScope : doomedScope;
    const derived_from = [{ scope: from, record_id: source, revision: before.revision }];
    const text = w.newText('derived');
    const id = await w.alice.created(sharedScope, texted(text, { derived_from }));
    w.show(w.shared, id, text);
    w.checks.push(async () => {
      if (w.shared.get(id)?.text !== text) return;
      const { record } = result(await w.alice.read(sharedScope, id));
      const isLost = records === w.doomed && !w.doomed.has(source);
      expect(record.payload.derived_from).toMatchObject([{ record_id: source }]);
      expect('lost_sources' in record).toBe(isLost);
    });
  },
};

const holder = { ...version, holder: 'worker' };

const consumers: Actions = {
  claim: async (w) => {
    result(await w.alice.call('claimConsumer', { id: 'history', document: holder }));
    if (w.seen !== undefined) return;
    const seen = new Set<string>();
    w.seen = seen;
    w.checks.push(async () => {
      while (await consume(w));
      expect([...w.ever].filter((id) => !seen.has(id))).toEqual([]);
    });
  },
  consume: async (w) => {
    await consume(w);
  },
};

/** Reads and commits a page; returns whether it had changes. */
async function consume(w: HistoryWorld): Promise<boolean> {
  if (w.seen === undefined) return false;
  const document = { ...holder, limit: 5 };
  const { page } = result(await w.alice.call('readConsumer', { id: 'history', document }));
  for (const { record_id } of page.changes) w.seen.add(record_id);
  const position = { ...holder, cursor: page.next_after };
  result(await w.alice.call('commitConsumer', { id: 'history', document: position }));
  return page.changes.length > 0;
}

const exports: Actions = {
  exportAll: async (w) => {
    const text = await exported(w.t.admin, ofTenant, { with_history: true });
    for (const kept of [...textsOf(w.shared), ...textsOf(w.own)]) expect(text).toContain(kept);
    expect(w.gone.filter((each) => text.includes(each))).toEqual([]);
  },
};

const imports: Actions = {
  importAll: async (w) => {
    await using other = await tenant(w.t.driver);
    const writer = await other.agent();
    const text = w.newText('imported');
    const id = await writer.created(sharedScope, texted(text));
    const lines = await exported(other.admin);
    const outcomes = { stored: w.isReviewed ? 0 : 1, refused: w.isReviewed ? 1 : 0 };
    expect(await imported(w.t.admin, lines)).toMatchObject(outcomes);
    if (w.isReviewed) return;
    w.show(w.shared, id, text);
    expect(await imported(w.t.admin, lines)).toMatchObject({ stored: 0, unchanged: 1 });
  },
  importErased: async (w, pick) => {
    const text = chosen(w.exportsOfErased, pick);
    if (text !== undefined) expect((await imported(w.t.admin, text)).stored).toBe(0);
  },
};

const erasure: Actions = {
  welcome: async (w) => {
    const id = w.newText('person');
    const caller = await w.t.agent({ subject_id: id });
    const texts = [w.newText('private'), w.newText('hidden')];
    await caller.created(scope, texted(texts[0]!));
    const { where } = await inBranch(caller, { name: w.newText('trial') });
    await caller.created(where, texted(texts[1]!));
    w.persons.push({ id, caller, texts });
    await w.write(caller, w.newText('by-person'));
  },
  erasePerson: async (w, pick) => {
    const person = chosen(w.persons, pick);
    if (person === undefined) return;
    w.persons.splice(w.persons.indexOf(person), 1);
    const of = { type: 'subject', subject_id: person.id };
    w.exportsOfErased.push(await exported(w.t.admin, of, { with_history: true }));
    // Everybody else goes on meanwhile.
    await Promise.all([erased(w.t, ofSubject(person.id)), ordinary['write']?.(w, pick)]);
    w.erased.push(person.id);
    w.gone.push(...person.texts);
    for (const [id, { author, text }] of [...w.waiting]) {
      if (author !== person.caller) continue;
      w.waiting.delete(id);
      w.gone.push(text);
    }
    expect(outcome(await person.caller.query(scope))).toMatch(/^401 /u);
  },
  writeWhatGoes: async (w) => {
    const text = w.newText('doomed');
    w.show(w.doomed, await w.alice.created(doomedScope, texted(text)), text);
  },
  eraseScope: async (w) => {
    const target = { kind: 'scope', scope: doomedScope };
    await Promise.all([erased(w.t, target), ordinary['writePrivately']?.(w, 0)]);
    w.gone.push(...textsOf(w.doomed));
    w.doomed.clear();
  },
};

const quotas: Actions = {
  bound: async (w) => {
    result(await w.master.setQuota('acme', { max_entries: 100_000, max_bytes: null }));
    w.hasQuota = true;
  },
};

const retention: Actions = {
  keepDeleted,
  deleteAndRestore: async (w, pick) => {
    const [id, before] = chosen(w.shared, pick) ?? [];
    if (!w.keepsDeleted || id === undefined || before === undefined) return;
    const { text, revision } = before;
    result(await w.alice.delete(sharedScope, [id, revision]));
    result(await w.alice.restore(sharedScope, id, revision, revision + 1, freshKey()));
    w.show(w.shared, id, text, revision + 2);
  },
};

const reads: Actions = {
  countReads: async (w) => {
    await settle(w.t.admin, { retention: { read_days: 30 } });
    w.readsOfBob = new Map();
  },
  readAsBob: async (w, pick) => {
    const [id] = chosen(w.shared, pick) ?? [];
    if (w.readsOfBob === undefined || id === undefined) return;
    result(await w.bob.read(sharedScope, id));
    const before = w.readsOfBob.get(id) ?? 0;
    const { items } = result(await w.t.admin.readers(sharedScope, id)).page;
    const reads = items.find(({ subject_id: who }) => who === 'bob')?.reads ?? 0;
    expect(reads).toBeGreaterThan(before);
    w.readsOfBob.set(id, reads);
  },
};

const superseding: Actions = {
  supersede: async (w, pick) => {
    const [id, before] = chosen(w.shared, pick) ?? [];
    if (id === undefined || before === undefined) return;
    const supersedes = [{ record_id: id, revision: before.revision }];
    const text = w.newText('successor');
    const made = await w.alice.created(sharedScope, texted(text, { supersedes }));
    w.shared.delete(id);
    w.show(w.shared, made, text);
    w.checks.push(async () => {
      const at = { revision: before.revision + 1 };
      const { payload } = result(await w.alice.readAt(sharedScope, id, at)).record;
      expect([payload.content.primary, payload.superseded_by]).toEqual([before.text, made]);
      expect(outcome(await w.alice.read(sharedScope, id))).toBe('404 record_not_found');
    });
  },
};

/** The actions of each capability. One without any only sets up the tenant. */
export const actionsOf: Readonly<Partial<Record<CapabilityName, Actions>>> = {
  ...{ branches, proposals, as_of: asOf, lineage, consumers, exports, imports, erasure },
  ...{ encryption: {}, delegation, quotas, retention, reads, review },
  ...{ superseding, invitations, blocks },
  ...webhookActions,
};
