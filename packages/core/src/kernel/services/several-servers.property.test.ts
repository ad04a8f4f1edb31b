/**
 * Random histories of several servers over one store, with transactions in random order and some
 * servers killed: receipts, revisions, audit chains, statistics, locks and limits are always those
 * of a single service.
 */
import { Counts, tally } from '../counts/counts.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Administrator } from '../../client/administrator.js';
import type { Agent } from '../../client/agent.js';
import { families } from '../../domains.js';
import { verifyAudit } from '../audit-log/verification/verify-audit.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { Receipt } from '../../domains/memory/documents/schema.js';
import { bootstrapTenant, createAdmin } from '../../operator.js';
import { countSlice } from '../../upkeep/stats/count-slice.js';
import { remembering } from '../../storage/store-testing/speculative-store.js';
import { storeOver } from '../../storage/store-testing/store-over.js';
import type { Store } from '../../storage/store/store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { codeOf, PASSWORD, type Server, Servers } from '../../../test/servers.js';

const RUNS = Number(process.env['AGENTKEEP_HISTORIES'] ?? 25);

const SCOPE = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
const RECORD = {
  episode_type: 'Observation',
  content: { primary: 'x' },
  event_time_millis: 0,
} as const;
const LOGIN = '/api/v1/login';
const GUESSES_MAX = 5;

const at = fc.nat({ max: 2 });
const key = fc.nat({ max: 15 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('create' as const), at, key }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom('update' as const, 'delete' as const),
      at,
      key,
      target: key,
      revision: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('guess' as const), at }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('session' as const), at }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('policy' as const), at }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('settle' as const), at }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constantFrom('kill' as const, 'close' as const), at }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Sending = (agent: Agent) => Promise<Receipt>;

/** Delays transactions by a number of turns, and forever once the server is killed. */
function unsteady(store: Store, turns: () => number, isDead: () => boolean): Store {
  const wait = async (): Promise<void> => {
    for (let left = turns(); left > 0; left -= 1) await Promise.resolve();
    if (isDead()) throw new AgentkeepError('store_closed');
  };
  return storeOver(store, {
    read: (body) => wait().then(() => store.read(body)),
    transact: (body) => wait().then(() => store.transact(body)),
  });
}

/** A server with its clients. */
interface ServerWithClients {
  readonly server: Server;
  readonly agent: Agent;
  readonly root: Administrator;
  kill(): void;
}

class History implements AsyncDisposable {
  readonly #servers = new Servers();
  readonly #clock = new ManualClock();
  readonly #turns: () => number;
  readonly #places: ServerWithClients[] = [];
  readonly #pending: Promise<unknown>[] = [];
  readonly #sent: Sending[] = [];
  /** Outcomes by idempotency key; a command of a killed server may have none. */
  readonly #receipts = new Map<string, Receipt>();
  readonly #records: string[] = [];
  #secret = '';
  #refusedGuesses = 0;
  #newestLimit = 0;

  constructor(turns: readonly number[]) {
    let next = 0;
    this.#turns = () => turns[next++ % turns.length] ?? 0;
  }

  async begin(): Promise<void> {
    const first = await this.#servers.open({ clock: this.#clock });
    const tenant = { tenantId: 'acme', subjectId: 'ops' };
    const admin = await first.keep.authenticate((await bootstrapTenant(first.keep, tenant)).secret);
    const { secret } = await admin.credentials.issue({
      subject_id: 'alice',
      capabilities: ['memory_read', 'memory_write'],
      grants: [SCOPE],
    });
    this.#secret = secret;
    for (const username of ['root', 'ann']) {
      await createAdmin(first.keep, { username, password: PASSWORD });
    }
    await first.runtime.audit.flush();
    for (let index = 0; index < 3; index += 1) this.#places.push(await this.#open());
  }

  async run(each: Step): Promise<void> {
    const place = this.#places[each.at];
    if (place === undefined) throw new Error('There is no such server.');
    switch (each.type) {
      case 'settle':
        return this.#settle();
      case 'kill':
        place.kill();
        this.#places[each.at] = await this.#open();
        return;
      case 'close':
        await this.#settle();
        await place.server.keep.close();
        this.#places[each.at] = await this.#open();
        return;
      case 'guess':
        this.#later(this.#guess(place));
        return;
      case 'session':
        this.#later(place.server.keep.logIn({ username: 'root', password: PASSWORD }));
        return;
      case 'policy':
        this.#later(this.#limit(place));
        return;
      case 'create':
      case 'update':
      case 'delete': {
        const sending = this.#sending(each);
        if (sending === undefined) return;
        this.#sent.push(sending);
        this.#later(this.#send(place, sending));
      }
    }
  }

  async check(): Promise<void> {
    await this.#settle();
    for (const { server } of this.#places) {
      await server.runtime.audit.flush();
      expect(await verifyAudit(server.runtime.store)).toMatchObject({ broken_at: null });
    }
    const counted = await this.#count();
    for (const { server } of this.#places) {
      expect(await tally.of(server.runtime).entries()).toEqual(counted);
    }
    // After the counts, because these calls are audited, and stored some time later.
    for (const { server, root } of this.#places) {
      expect(await this.#limitAt(server)).toBe(await this.#storedLimit(root));
    }
    expect(this.#refusedGuesses).toBeLessThanOrEqual(GUESSES_MAX);
    await this.#checkReceipts();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#servers[Symbol.asyncDispose]();
  }

  async #open(): Promise<ServerWithClients> {
    let isDead = false;
    const through = (store: Store): Store =>
      remembering(unsteady(store, this.#turns, () => isDead));
    const server = await this.#servers.open({ clock: this.#clock, through });
    const agent = await server.keep.authenticate(this.#secret);
    const login = { username: 'root', password: PASSWORD };
    const { administrator: root } = await server.keep.logIn(login);
    return { server, agent, root, kill: () => (isDead = true) };
  }

  /** The command of a step, as it is sent now and once more at the end. */
  #sending({ key: number, ...each }: Step & { readonly key: number }): Sending | undefined {
    const options = { idempotencyKey: `${each.type} ${String(number)}` };
    if (each.type === 'create') return ({ memory }) => memory.in(SCOPE).create(RECORD, options);
    if (each.type !== 'update' && each.type !== 'delete') return undefined;
    const recordId = this.#records[each.target];
    if (recordId === undefined) return undefined;
    const at = { recordId, expectedRevision: each.revision };
    if (each.type === 'delete') return ({ memory }) => memory.in(SCOPE).delete(at, options);
    return ({ memory }) => memory.in(SCOPE).update(at, RECORD, options);
  }

  async #send({ agent }: ServerWithClients, sending: Sending): Promise<void> {
    const receipt = await sending(agent);
    const known = this.#receipts.get(receipt.idempotency_key);
    if (known !== undefined) expect(receipt).toEqual(known);
    else if (receipt.action === 'created') this.#records.push(receipt.record_id);
    this.#receipts.set(receipt.idempotency_key, receipt);
  }

  async #guess({ server }: ServerWithClients): Promise<void> {
    const code = await codeOf(server.keep.logIn({ username: 'ann', password: 'wrong' }));
    if (code === 'invalid_login') this.#refusedGuesses += 1;
    else expect(['account_locked', 'store_closed']).toContain(code);
  }

  async #limit({ root }: ServerWithClients): Promise<void> {
    this.#newestLimit += 1;
    const maxRequests = this.#newestLimit;
    await root.rateLimits.create({ name: 'n', endpointType: 'Login', maxRequests, windowSecs: 60 });
  }

  /** Returns the limit of the newest policy, as a caller that lists policies sees it. */
  async #storedLimit(root: Administrator): Promise<number> {
    const { policies } = await root.rateLimits.listPage({ limit: 1_000 });
    const ofLogin = policies.filter(({ endpoint_type }) => endpoint_type === 'Login');
    const newest = ofLogin.toSorted((one, other) =>
      one.created_at === other.created_at
        ? other.id.localeCompare(one.id)
        : other.created_at.localeCompare(one.created_at),
    )[0];
    return newest?.max_requests ?? 0;
  }

  async #limitAt({ keep }: Server): Promise<number> {
    let limit = 0;
    const countRequest = (): void => {
      ({ limit } = keep.rateLimiter.peek(LOGIN, 'a'));
    };
    await keep.countRequest({ countRequest });
    return limit;
  }

  #count() {
    return this.#servers.store.read((tx) => {
      const counts = new Counts(this.#clock);
      const { numbers } = countSlice(tx, families, undefined, Number.MAX_SAFE_INTEGER);
      for (const [name, number] of numbers) counts.add(name, number);
      return counts.show();
    });
  }

  /** Repeated commands that were stored return their receipt; each revision of a record has one. */
  async #checkReceipts(): Promise<void> {
    const [place] = this.#places;
    if (place === undefined) throw new Error('There is no server.');
    for (const sending of this.#sent) await this.#send(place, sending).catch(expectRefusal);
    const made = new Map<string, number[]>();
    for (const { record_id: id, revision } of this.#receipts.values()) {
      made.set(id, [...(made.get(id) ?? []), revision]);
    }
    for (const revisions of made.values()) {
      const ascending = revisions.toSorted((one, other) => one - other);
      expect(ascending).toEqual(revisions.map((_, index) => index + 1));
    }
  }

  #later(work: Promise<unknown>): void {
    this.#pending.push(work.catch(expectRefusal));
  }

  async #settle(): Promise<void> {
    await Promise.all(this.#pending.splice(0));
  }
}

/** A killed server refuses, and commands may be refused; a failed expectation may not pass. */
function expectRefusal(error: unknown): void {
  if (!(error instanceof AgentkeepError) || error.code === 'internal_error') throw error;
}

test('several servers behave like one service', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }),
      fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 40 }),
      async (steps, turns) => {
        await using history = new History(turns);
        await history.begin();
        for (const each of steps) await history.run(each);
        await history.check();
      },
    ),
    { numRuns: RUNS },
  );
});
