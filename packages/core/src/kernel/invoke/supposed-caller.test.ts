/**
 * Calls that begin with a caller as it was last known: they share one transaction with their proof,
 * and what another server has changed meanwhile counts.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventsOf } from '../../../test/login-kit.js';
import { administrator, codeOf, type TwoServers, twoServers } from '../../../test/servers.js';
import type { Agent } from '../../client/agent.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { CredentialSpecInput } from '../../domains/tenancy/credential/schema.js';
import { operations } from '../../domains.js';
import { bootstrapTenant } from '../../operator.js';
import type { Call } from '../operation/call.js';
import type { Store } from '../../storage/store/store.js';
import { remembering } from '../../storage/store-testing/speculative-store.js';
import { storeOver } from '../../storage/store-testing/store-over.js';

const SCOPE = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;
const OTHER_SCOPE = { ...SCOPE, project_id: 'q' } as const;
const RECORD = {
  episode_type: 'Observation',
  content: { primary: 'x' },
  event_time_millis: 0,
} as const;
const ISSUED: CredentialSpecInput = {
  subject_id: 'alice',
  capabilities: ['memory_read', 'memory_write'],
  grants: [SCOPE],
};

const authority = (...grants: (typeof SCOPE | typeof OTHER_SCOPE)[]) => {
  return { grants, scope_policy: null };
};

/** A call whose members need it, like those of transports. */
class CountingCall implements Call {
  readonly #secret: string;
  readonly #counts: string[];

  constructor(secret: string, counts: string[]) {
    this.#secret = secret;
    this.#counts = counts;
  }

  get proof() {
    return { kind: 'bearer', token: this.#secret } as const;
  }

  countRequest(principal: { readonly id: string } | undefined): void {
    this.#counts.push(principal?.id ?? '');
  }
}

let servers: TwoServers;
/** At the server that supposes. */
let agent: Agent;
/** At the other one, which changes what the first supposes. */
let admin: Agent;
let id: string;
let secret: string;
let recordId: string;
let transactions = 0;

function counting(store: Store): Store {
  return storeOver(store, {
    read: (body) => {
      transactions += 1;
      return store.read(body);
    },
    transact: (body) => {
      transactions += 1;
      return store.transact(body);
    },
  });
}

async function transactionsOf(call: () => Promise<unknown>): Promise<number> {
  const before = transactions;
  await call();
  return transactions - before;
}

beforeEach(async () => {
  servers = await twoServers({ through: (store) => remembering(counting(store)) });
  const { one, other } = servers;
  const bootstrapped = await bootstrapTenant(other.keep, { tenantId: 'acme', subjectId: 'ops' });
  admin = await other.keep.authenticate(bootstrapped.secret);
  const issued = await admin.credentials.issue(ISSUED);
  ({ id } = issued.credential);
  ({ secret } = issued);
  agent = await one.keep.authenticate(secret);
  recordId = (await agent.memory.in(SCOPE).create(RECORD)).record_id;
  await agent.whoAmI();
});

afterEach(async () => {
  await servers[Symbol.asyncDispose]();
});

const calls = () => [
  codeOf(agent.memory.in(SCOPE).read(recordId)),
  codeOf(agent.memory.in(SCOPE).create(RECORD)),
  codeOf(agent.memory.in(SCOPE).queryPage()),
  codeOf(agent.whoAmI()),
];

test('a call of a known caller takes one transaction', async () => {
  expect(await transactionsOf(() => agent.memory.in(SCOPE).read(recordId))).toBe(1);
  expect(await transactionsOf(() => agent.memory.in(SCOPE).create(RECORD))).toBe(1);
  expect(await transactionsOf(() => agent.whoAmI())).toBe(1);
});

test('a credential that another server revoked is refused, and nothing of its call is stored', async () => {
  const { one } = servers;
  await admin.credentials.revoke(id, 1);
  expect(await Promise.all(calls())).toEqual(Array(4).fill('unauthorized'));
  const second = await admin.credentials.issue(ISSUED);
  const reader = await one.keep.authenticate(second.secret);
  expect((await reader.memory.in(SCOPE).queryPage()).records).toHaveLength(1);
});

test('the rights that another server changed count, taken away or added', async () => {
  await admin.credentials.changeScopeAuthority(id, 1, authority(OTHER_SCOPE));
  expect(await Promise.all(calls())).toEqual(['forbidden', 'forbidden', 'forbidden', 'none']);
  expect(await codeOf(agent.memory.in(OTHER_SCOPE).create(RECORD))).toBe('none');
  await admin.credentials.changeScopeAuthority(id, 2, authority(SCOPE));
  // What was last known would refuse this one.
  expect(await codeOf(agent.memory.in(SCOPE).read(recordId))).toBe('none');
});

test('a call that begins again reads its document once, and is counted and audited once', async () => {
  const { one } = servers;
  let reads = 0;
  const counts: string[] = [];
  const source = {
    document: () => {
      reads += 1;
      const operation = { type: 'create', record: RECORD };
      const command = { idempotency_key: 'again', scope: SCOPE, operation };
      return Promise.resolve({ value: { contract_version: CONTRACT_VERSION, ...command } });
    },
  };
  const call = new CountingCall(secret, counts);
  const send = () => one.keep.invoke(operations.executeMemoryCommand, source, call);
  await codeOf(send());
  await admin.credentials.changeScopeAuthority(id, 1, authority(SCOPE, OTHER_SCOPE));
  const before = await eventsNoted();
  reads = 0;
  counts.length = 0;
  expect(await codeOf(send())).toBe('none');
  expect(reads).toBe(1);
  expect(counts).toEqual([id]);
  expect((await eventsNoted()) - before).toBe(1);

  async function eventsNoted(): Promise<number> {
    await one.runtime.audit.flush();
    const events = await eventsOf(one.runtime, 'acme');
    return events.filter(({ user_id: userId }) => userId === id).length;
  }
});

test('a rate limit that another server tightened counts the call that meets it', async () => {
  const { one, other } = servers;
  const root = await administrator(other);
  await root.rateLimits.create({
    name: 'tight',
    endpointType: 'Login',
    maxRequests: 3,
    windowSecs: 60,
  });
  const limits: number[] = [];
  const call = {
    proof: { kind: 'bearer', token: secret } as const,
    countRequest: () => limits.push(one.keep.rateLimiter.peek('/api/v1/login', 'a').limit),
  };
  await one.keep.invoke(operations.whoAmI, {}, call);
  expect(limits.at(-1)).toBe(3);
});
