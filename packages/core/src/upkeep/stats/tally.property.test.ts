/** The tally agrees with a naive count in random histories of changes, closings and kills. */
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { auditDraft } from '../../../test/audit-draft.js';
import type { AccountEvent } from '../../domains/people/account/account-event.js';
import { insertAccount } from '../../domains/people/account/account-store.js';
import type { StoredAccount } from '../../domains/people/account/stored-account.js';
import { appendEvents } from '../../kernel/audit-log/append-events.js';
import { eventsOfHead } from '../../kernel/audit-log/audit-store.js';
import { insertCredential } from '../../domains/tenancy/credential/credential-store.js';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import {
  isCurrentRecord,
  sealRecord,
  storeRecord,
} from '../../domains/memory/record/memory-store.js';
import { insertReceipt } from '../../domains/memory/record/receipt-store.js';
import type { Namespace } from '../../kernel/access/namespace.js';
import type { AuditDraft } from '../../kernel/audit/audit.js';
import {
  endOfSession,
  putSession,
  removeSession,
  type StoredSession,
} from '../../domains/people/session/session-store.js';
import { storeOver } from '../../storage/store-testing/store-over.js';
import type { Store, WriteTx } from '../../storage/store/store.js';
import { insertTenant } from '../../domains/tenancy/tenant/tenant-store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import type { EntryCounts } from '../../kernel/counts/counts.js';
import { type FollowedTally, openFollowed } from '../../../test/tally-kit.js';
import { Tally } from './tally.js';
import { families } from '../../domains.js';

const RUNS = 300;
const TENANTS = ['a', 'b', '\0', 'z'];
const MAX_EVENTS = 70;
const clock = new ManualClock(Date.UTC(2026, 0, 1));

const place = { tenant: fc.constantFrom(...TENANTS), number: fc.nat(60) };
const step = fc.oneof(
  fc.record({ type: fc.constant('tenant'), ...place }),
  fc.record({ type: fc.constant('credential'), ...place }),
  { weight: 4, arbitrary: fc.record({ type: fc.constant('create'), ...place }) },
  fc.record({ type: fc.constant('update'), ...place }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant('delete'), ...place }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('events'), ...place }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('login'), ...place }) },
  fc.record({ type: fc.constant('logout'), ...place }),
  fc.record({ type: fc.constant('account'), ...place }),
  fc.record({ type: fc.constant('wait'), ...place }),
  fc.record({ type: fc.constant('fail'), ...place }),
  fc.record({ type: fc.constant('settle'), ...place }),
  fc.record({ type: fc.constant('turn'), ...place }),
  fc.record({ type: fc.constant('close'), ...place }),
  fc.record({ type: fc.constant('kill'), ...place }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type RecordStep = Extract<Step, { type: 'create' | 'update' | 'delete' }>;
type ChangeStep =
  | RecordStep
  | Extract<
      Step,
      { type: 'tenant' | 'credential' | 'account' | 'login' | 'logout' | 'events' | 'fail' }
    >;

const RECORDS_MADE_BY = { created: 1, updated: 0, deleted: -1 } as const;
const ACTIONS = { create: 'created', update: 'updated', delete: 'deleted' } as const;

/** Returns a UUID that is unique for tenant and number. */
function uuidOf({ tenant, number }: Step): string {
  const name = TENANTS.indexOf(tenant).toString(16).padStart(2, '0');
  return `01900000-0000-7000-8000-${name}${number.toString(16).padStart(10, '0')}`;
}

function namespaceOf({ tenant, number }: Step): Namespace {
  const scope = `scope ${number % 3}`;
  const digest = Buffer.alloc(32, number % 3);
  return { tenantId: tenant, digest, parts: [scope] as unknown as Namespace['parts'] };
}

/** Returns a store that refuses writes after its process is killed. */
function mortal(inner: Store): { store: Store; kill: () => void } {
  let isDead = false;
  const assertAlive = (): Promise<void> =>
    isDead ? Promise.reject(new Error('dead')) : Promise.resolve();
  const store = storeOver(inner, {
    read: (body) => assertAlive().then(() => inner.read(body)),
    transact: (body) => assertAlive().then(() => inner.transact(body)),
  });
  return { store, kill: () => (isDead = true) };
}

/** One store over several openings. */
class History {
  readonly #inner = inMemoryStore();
  readonly #pending = new Set<Promise<unknown>>();
  readonly #revisions = new Map<string, number>();
  #commands = 0;
  #tally: FollowedTally | undefined;
  #kill: () => void = () => undefined;

  async open(): Promise<FollowedTally> {
    const { store, kill } = mortal(this.#inner);
    this.#kill = kill;
    return (this.#tally = await openFollowed(Tally, { store, clock, sliceEntries: 20 }));
  }

  async run(each: Step): Promise<void> {
    const tally = this.#tally ?? (await this.open());
    switch (each.type) {
      case 'settle':
        await this.#settle();
        expect(await tally.entries()).toEqual(await this.slowCount());
        return;
      case 'turn':
        await setImmediate();
        return;
      case 'wait':
        clock.advance(each.number * 1_000);
        return;
      case 'close':
        await this.#settle();
        await tally.close();
        this.#tally = undefined;
        return;
      case 'kill':
        await this.#settle();
        this.#kill();
        this.#tally = undefined;
        return;
      case 'tenant':
      case 'credential':
      case 'create':
      case 'update':
      case 'delete':
      case 'account':
      case 'login':
      case 'logout':
      case 'events':
      case 'fail': {
        const change = tally.followed().transact((tx) => this.#change(tx, each));
        this.#pending.add(change.catch(() => undefined));
      }
    }
  }

  async finish(): Promise<void> {
    const tally = this.#tally ?? (await this.open());
    await this.#settle();
    expect(await tally.entries()).toEqual(await this.slowCount());
    await tally.close();
    expect(await (await this.open()).entries()).toEqual(await this.slowCount());
  }

  /** Counts all stored entries. */
  async slowCount(): Promise<EntryCounts> {
    const found = new Map<string, number>();
    const add = (name: string, by: number) => found.set(name, (found.get(name) ?? 0) + by);
    await this.#inner.scan((entry) => {
      const family = families.ofKey(entry.key) ?? expect.fail('A key of no family.');
      if (family === 'memoryScan') add(family, isCurrentRecord(entry.value) ? 1 : 0);
      else if (family === 'auditHeads') add(family, eventsOfHead(entry));
      else if (family === 'sessions') add(family, endOfSession(entry)! > clock.now() ? 1 : 0);
      else add(family, 1);
    });
    return {
      tenants: found.get('tenants') ?? 0,
      credentials: found.get('credentials') ?? 0,
      accounts: found.get('accounts') ?? 0,
      sessions: found.get('sessions') ?? 0,
      memory_records: found.get('memoryScan') ?? 0,
      receipts: found.get('memoryReceipts') ?? 0,
      audit_events: found.get('auditHeads') ?? 0,
    };
  }

  async #settle(): Promise<void> {
    await Promise.all(this.#pending);
    this.#pending.clear();
  }

  #change(tx: WriteTx, each: ChangeStep): void {
    const id = uuidOf(each);
    switch (each.type) {
      case 'tenant': {
        // Inserts only what does not exist, as all callers do.
        const isNew = !this.#revisions.has(`tenant ${each.tenant}`);
        this.#revisions.set(`tenant ${each.tenant}`, 1);
        if (isNew) {
          insertTenant(tx, {
            tenantId: each.tenant,
            createdAtMillis: 0,
            initialAdminId: id,
            registered: null,
          });
        }
        return;
      }
      case 'credential': {
        const isNew = !this.#revisions.has(`credential ${id}`);
        this.#revisions.set(`credential ${id}`, 1);
        if (isNew) insertOne(tx, each.tenant, id);
        return;
      }
      case 'account': {
        const isNew = !this.#revisions.has(`account ${id}`);
        this.#revisions.set(`account ${id}`, 1);
        if (isNew) insertAccount(tx, accountOf(each.tenant, id), 'hash', accountEvent(id));
        return;
      }
      case 'login':
        // Whole seconds, so that the tally knows each end exactly.
        putSession(tx, sessionOf(each, id, clock.now() + each.number * 1_000));
        return;
      case 'logout':
        removeSession(tx, { authority: each.tenant, accountId: id, id });
        return;
      case 'events':
        appendEvents(tx, each.tenant, [draftOf(id), draftOf(id)], {
          nowMs: clock.now(),
          bounds: { maxEvents: MAX_EVENTS, retentionMs: 1_000_000 },
        });
        return;
      case 'fail':
        insertTenant(tx, {
          tenantId: `${each.tenant}x`,
          createdAtMillis: 0,
          initialAdminId: id,
          registered: null,
        });
        throw new Error('not this one');
      case 'create':
      case 'update':
      case 'delete':
        this.#changeRecord(tx, each, id);
    }
  }

  #changeRecord(tx: WriteTx, each: RecordStep, id: string): void {
    const before = this.#revisions.get(id);
    const action = ACTIONS[each.type];
    // Deleted records stay deleted, and ids are not reused.
    if ((before === undefined) !== (action === 'created') || before === Infinity) return;
    this.#revisions.set(id, action === 'deleted' ? Infinity : 1);
    const parts = { type: 'x', tags: [], texts: [], validUntilMillis: null, eventMillis: 0 };
    const record = {
      revision: 1,
      createdAtMillis: 0,
      modifiedAtMillis: 0,
      author: { credential_id: id, subject_id: 's' },
      payload: null,
      name: null,
      keptUntilMillis: null,
      idempotencyKey: 'k',
    };
    const namespace = namespaceOf(each);
    // Each command has its own key, since callers insert a receipt only if there is none.
    this.#commands += 1;
    const sealed = sealRecord(namespace, id, record, action === 'deleted' ? null : parts);
    storeRecord(tx, sealed, RECORDS_MADE_BY[action]);
    insertReceipt(
      tx,
      namespace,
      { subjectId: 's', idempotencyKey: String(this.#commands) },
      {
        fingerprint: '',
        recordId: id,
        revision: 1,
        action,
        committedAtMillis: 0,
        credentialId: id,
      },
    );
  }
}

function insertOne(tx: WriteTx, tenantId: string, id: string): void {
  const spec = { subject_id: 's', capabilities: [], grants: [], expires_at_millis: null };
  insertCredential(
    tx,
    {
      id,
      tenantId,
      revision: 1,
      verifier: '',
      revokedAtMillis: null,
      previous: null,
      federation: null,
      program: null,
      spec,
    },
    { revision: 1, action: 'issued', actor_id: id, at_millis: 0 },
  );
}

function accountEvent(actor_id: string): AccountEvent {
  return { revision: 1, action: 'login_account_created', actor_id, at_millis: 0 };
}

function accountOf(authority: string, id: string): StoredAccount {
  return {
    authority,
    id,
    username: id,
    email: null,
    roles: [],
    isActive: true,
    credentialId: null,
    revision: 1,
    createdAtMillis: 0,
    updatedAtMillis: 0,
    lastLoginMillis: null,
    disabledAtMillis: null,
    deletedAtMillis: null,
    links: null,
  };
}

function sessionOf({ tenant }: Step, id: string, expiresAtMillis: number): StoredSession {
  return {
    authority: tenant,
    accountId: id,
    id,
    kind: 'opaque',
    verifier: '',
    pinned: null,
    createdAtMillis: 0,
    expiresAtMillis,
    lastUsedMillis: 0,
    signIn: null,
  };
}

function draftOf(id: string): AuditDraft {
  return auditDraft({ id, atMillis: clock.now(), tenantId: null, userId: id, username: null });
}

test('the tally agrees with a naive count', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 150, size: 'max' }), async (steps) => {
      const history = new History();
      for (const each of steps) await history.run(each);
      await history.finish();
    }),
    { numRuns: RUNS },
  );
});
