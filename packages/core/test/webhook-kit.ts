/** What the tests of webhooks share: a keep, a receiver, and deliverers over the same store. */
import { testStore } from '@agentkeep/testkit/test-store';
import {
  openKeep,
  type ScopeInput,
  type WebhookAnswer,
  type WebhookRequest,
} from '../src/index.js';
import { type AgentOptions, agentFor } from '../src/operator.js';
import { runtimeOf } from '../src/keep/keep.js';
import type { Transactions } from '../src/storage/store/store.js';
import { ManualClock, quickPasswords } from '../src/testing.js';
import { WebhookDeliverer } from '../src/domains/webhooks/webhook-deliverer.js';

export const shared: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };
export const own: ScopeInput = { ...shared, visibility: 'private' };
export const other: ScopeInput = { ...shared, project_id: 'q' };
export const record = {
  episode_type: 'Observation' as const,
  content: { primary: 'a secret thought' },
  event_time_millis: 0,
};
export const admin: AgentOptions = {
  tenantId: 'acme',
  subjectId: 'ops',
  scopes: [shared, own, other],
  capabilities: ['memory_read', 'memory_write', 'credential_admin'],
};
export const URL_OF_RECEIVER = 'https://hooks.example.com/agentkeep?key=1';
export const taken: WebhookAnswer = { kind: 'answered', status: 204, retryAfterMs: null };
export const broken: WebhookAnswer = { kind: 'answered', status: 500, retryAfterMs: null };
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export interface Sent {
  readonly type: string;
  readonly data: {
    readonly changes?: readonly { readonly record_id: string; readonly action: string }[];
  };
}

/** A receiver whose answers the test decides, and what it was sent. */
export class Receiver {
  answer: WebhookAnswer = taken;
  readonly requests: WebhookRequest[] = [];

  send(request: WebhookRequest): Promise<WebhookAnswer> {
    this.requests.push(request);
    return Promise.resolve(this.answer);
  }

  /** The bodies that it was sent since the last call. */
  bodies(): Sent[] {
    return this.requests.splice(0).map(({ body }) => JSON.parse(body) as Sent);
  }

  /** The changed records that it was sent since the last call. */
  records(): string[] {
    return this.bodies().flatMap(({ data }) => data.changes?.map((each) => each.record_id) ?? []);
  }
}

export async function setUp() {
  const store = testStore();
  const clock = new ManualClock();
  const keep = await openKeep({ store, clock, passwords: quickPasswords });
  const agent = await agentFor(keep, admin);
  const receiver = new Receiver();
  const { entropy, newId } = runtimeOf(keep);
  let writes = 0;
  const counted: Transactions = {
    isShared: true,
    read: (body) => store.read(body),
    transact: (body) => {
      writes += 1;
      return store.transact(body);
    },
  };
  const ports = { backend: store, clock, entropy, newId };
  const deliverer = (holder = 'one', isShared = true) =>
    new WebhookDeliverer({ ...ports, store: { ...counted, isShared }, holder, sender: receiver });
  const one = deliverer();
  const create = async (scope: ScopeInput): Promise<string> =>
    (await agent.memory.in(scope).create(record)).record_id;
  return {
    ...{ store, keep, clock, agent, receiver, deliverer, create, webhooks: agent.webhooks },
    /** Transactions of all deliverers. */
    writes: () => writes,
    deliver: () => one.settled(),
    /** As {@link deliver}, after a call that a keep with a sender tells its deliverer of. */
    deliverSoon: () => {
      one.deliverSoon();
      return one.settled();
    },
    close: async () => {
      await one.stop();
      await keep.close();
    },
  };
}
