/**
 * Random histories of everything that begins or ends a proof, also on commits that fail: a keep
 * that remembers the state of its callers answers each proof as a keep that remembers nothing does,
 * on the same store.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PlainHasher } from '../../../test/login-kit.js';
import { codeOf, PASSWORD } from '../../../test/servers.js';
import type { HeldProof, CallerProof } from '../access/principal.js';
import type { Agent } from '../../client/agent.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { holdDelegation } from '../../domains/tenancy/delegation/hold-delegation.js';
import { looksLikeApiKey } from '../../domains/people/api-key/api-key-start.js';
import { type Keep, runtimeOf } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import { bootstrapTenant, createAdmin } from '../../operator.js';
import { operations } from '../../domains.js';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import { storeOver } from '../../storage/store-testing/store-over.js';
import type { CommitObserver, Store } from '../../storage/store/store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { embeddedInput } from '../input/input.js';
import { identify } from './invoke.js';

const RUNS = Number(process.env['AGENTKEEP_HISTORIES'] ?? 10);
const MINUTE_MS = 60_000;
const SCOPE = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;
const OTHER_SCOPE = { ...SCOPE, agent_id: 'b' } as const;

const IN_TENANT = { tenantId: 'acme' } as const;

const which = fc.nat({ max: 5 });
const step = fc.oneof(
  ...(
    [
      'rotate',
      'overlap',
      'revoke',
      'rescope',
      'restore',
      'log out',
      'delete key',
      'disable',
    ] as const
  ).map((type) => fc.record({ type: fc.constant(type), which })),
  fc.record({ type: fc.constantFrom('issue' as const, 'log in' as const), which }),
  fc.record({ type: fc.constantFrom('make key' as const, 'roles' as const), which }),
  fc.record({ type: fc.constantFrom('fail' as const, 'write' as const), which }),
  fc.record({ type: fc.constantFrom('block' as const, 'require keys' as const), which }),
  fc.record({ type: fc.constant('wait' as const), which: fc.nat({ max: 120 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A store of which the next commits can be made to fail. */
class FailingStore {
  readonly #below = inMemoryStore();
  readonly #observers: CommitObserver[] = [];
  #failures = 0;

  /** The store as it is, and without `observe`. */
  readonly observed: Store;
  readonly unobserved: Store;

  constructor() {
    this.unobserved = storeOver(this.#below, {
      transact: (body) => (this.#failures > 0 ? this.#fail() : this.#below.transact(body)),
      close: () => Promise.resolve(),
    });
    this.observed = storeOver(this.unobserved, {
      observe: (observer) => {
        this.#observers.push(observer);
        this.#below.observe?.(observer);
      },
    });
  }

  failNext(): void {
    this.#failures = 1;
  }

  #fail(): Promise<never> {
    this.#failures -= 1;
    for (const observer of this.#observers) observer.failed();
    return Promise.reject(new AgentkeepError('store_unavailable'));
  }
}

class History implements AsyncDisposable {
  readonly #clock = new ManualClock();
  readonly #store = new FailingStore();
  readonly #secrets: string[] = [];
  readonly #held: HeldProof[] = [];
  readonly #ids: string[] = [];
  readonly #keys: string[] = [];
  #remembering!: Keep;
  #plain!: Keep;
  #admin!: Agent;
  #bob = '';

  async begin(): Promise<void> {
    const { observed, unobserved } = this.#store;
    const ports = { clock: this.#clock, passwords: new PlainHasher(), audit: { enabled: false } };
    this.#remembering = await openKeep({ ...ports, store: observed });
    this.#plain = await openKeep({ ...ports, store: unobserved });
    const tenant = { tenantId: 'acme', subjectId: 'ops' };
    const { secret } = await bootstrapTenant(this.#remembering, tenant);
    this.#admin = await this.#remembering.authenticate(secret);
    const { id } = await this.#admin.whoAmI();
    for (const username of ['ann', 'bob']) {
      const admin = { tenantId: 'acme', username, password: PASSWORD, credentialId: id };
      await createAdmin(this.#plain, admin);
    }
    await createAdmin(this.#plain, { username: 'root', password: PASSWORD });
    for await (const user of (await this.#root()).users.list(IN_TENANT)) {
      if (user.username === 'bob') this.#bob = user.id;
    }
    await this.#learn(secret);
    for (let index = 0; index < 3; index++) await this.#issue(index);
  }

  /** Runs a step on one of the keeps, then compares both for every proof. */
  async run({ type, which: at }: Step): Promise<void> {
    const admin = at % 2 === 0 ? this.#admin : await this.#adminOfPlain();
    await codeOf(this.#change(type, at, admin));
    await this.compare();
  }

  async compare(): Promise<void> {
    const proofs: CallerProof[] = [...this.#secrets.map(proofOf), ...this.#held];
    for (const proof of proofs) {
      // Twice, because the first one may be the one that fills the memory.
      for (let time = 0; time < 2; time++) {
        expect(await answerOf(this.#remembering, proof)).toEqual(
          await answerOf(this.#plain, proof),
        );
      }
    }
  }

  async #change(type: Step['type'], at: number, admin: Agent): Promise<void> {
    const id = this.#ids[at % this.#ids.length] ?? '';
    const revision = async (): Promise<number> => (await admin.credentials.inspect(id)).revision;
    switch (type) {
      case 'issue':
        return this.#issue(at);
      case 'rotate':
        return this.#learn((await admin.credentials.rotate(id, await revision())).secret);
      case 'overlap': {
        const options = { overlapSeconds: 60 };
        return this.#learn((await admin.credentials.rotate(id, await revision(), options)).secret);
      }
      case 'revoke':
        await admin.credentials.revoke(id, await revision());
        return;
      case 'rescope':
        await admin.credentials.changeScopeAuthority(id, await revision(), { grants: [] });
        return;
      case 'restore':
        await admin.credentials.changeScopeAuthority(id, await revision(), {
          grants: at % 2 === 0 ? [SCOPE] : [OTHER_SCOPE],
        });
        return;
      case 'log in':
        return this.#logIn(at);
      case 'log out':
        await (await this.#root()).session.revokeAll(this.#bob, IN_TENANT);
        return;
      case 'make key': {
        const { id: keyId, key } = await (await this.#ann()).keys.create('k', { expiresInDays: 1 });
        this.#keys.push(keyId);
        return this.#learn(key);
      }
      case 'delete key':
        return (await this.#ann()).keys.delete(this.#keys.shift() ?? '');
      case 'disable':
        await (await this.#root()).users.update(this.#bob, { is_active: at > 2 }, IN_TENANT);
        return;
      case 'roles':
        await (
          await this.#root()
        ).users.setRoles(this.#bob, at > 2 ? ['User'] : ['Admin'], IN_TENANT);
        return;
      case 'block': {
        const subject = await admin.subjects.get('ann').catch(() => undefined);
        await admin.subjects.put('ann', { is_blocked: at > 2 }, subject?.revision ?? 0);
        return;
      }
      case 'require keys': {
        // A person can take it back, when secrets are refused.
        const { credentials } = await this.#ann();
        const { revision: before } = await credentials.keyRequirement();
        await credentials.setKeyRequirement({ requiresKeys: at > 4 }, before);
        return;
      }
      case 'fail':
        this.#store.failNext();
        return;
      case 'write':
        await runtimeOf(this.#plain).store.transact((tx) => {
          tx.put(Uint8Array.of(0x7a, 0, 0xff, at), Uint8Array.of(at));
        });
        return;
      case 'wait':
        this.#clock.advance(at * MINUTE_MS);
    }
  }

  async #issue(at: number): Promise<void> {
    const { secret, credential } = await this.#admin.credentials.issue({
      subject_id: 'alice',
      capabilities: at % 2 === 0 ? ['memory_read', 'act_for'] : ['credential_admin'],
      ...(at % 2 === 0 ? { act_for: { mode: 'prefix', prefix: 'a' } as const } : {}),
      grants: [SCOPE],
      expires_at_millis: this.#clock.now() + (at + 1) * 60 * MINUTE_MS,
    });
    this.#ids.push(credential.id);
    await this.#learn(secret);
    if (at % 2 !== 0) return;
    const runtime = runtimeOf(this.#remembering);
    this.#held.push(await holdDelegation(runtime, this.#held.at(-1)!, 'ann'));
  }

  async #logIn(at: number): Promise<void> {
    const login = { username: 'bob', password: PASSWORD, tenantId: 'acme' };
    if (at % 2 === 0) return this.#learn((await this.#plain.openSession(login)).session.token);
    return this.#learn((await this.#remembering.logIn(login)).tokens.access_token);
  }

  async #learn(secret: string): Promise<void> {
    this.#secrets.push(secret);
    this.#held.push((await identify(runtimeOf(this.#remembering), proofOf(secret))).held);
  }

  async #ann(): Promise<Agent> {
    const login = { username: 'ann', password: PASSWORD, tenantId: 'acme' };
    return (await this.#plain.openSession(login)).agent;
  }

  async #root(): Promise<Agent> {
    return (await this.#remembering.openSession({ username: 'root', password: PASSWORD })).agent;
  }

  /** Falls back on one that is held while secrets are refused. */
  async #adminOfPlain(): Promise<Agent> {
    return this.#plain.authenticate(this.#secrets[0] ?? '').catch(() => this.#admin);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#plain.close();
    await this.#remembering.close();
  }
}

function proofOf(secret: string): CallerProof {
  return looksLikeApiKey(secret)
    ? { kind: 'api_key', key: secret }
    : { kind: 'bearer', token: secret };
}

/** What a proof gets: its credential, and what it may read in two scopes. */
async function answerOf(keep: Keep, proof: CallerProof): Promise<unknown> {
  const credential = await keep
    .invoke(operations.whoAmI, embeddedInput({}), { proof })
    .catch((error: unknown) => (error instanceof AgentkeepError ? error.code : error));
  const reads: string[] = [];
  for (const scope of [SCOPE, OTHER_SCOPE]) {
    const id = '01934f2a-7c1b-7000-8000-000000000001';
    const source = embeddedInput({ id, parameters: { contract_version: 1, ...scope } });
    reads.push(await codeOf(keep.invoke(operations.readMemoryRecord, source, { proof })));
  }
  const role = await identify(runtimeOf(keep), proof).then(
    (principal) => principal.role,
    () => undefined,
  );
  return { credential, reads, role };
}

test('a keep that remembers its callers answers as one that does not', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), async (steps) => {
      await using history = new History();
      await history.begin();
      for (const each of steps) await history.run(each);
    }),
    { numRuns: RUNS },
  ));
