/** What waits in a store is counted over all tenants, once a minute while it is asked for. */
import { eventually } from '@agentkeep/testkit/eventually';
import { expect, test } from 'vitest';
import {
  broken,
  MINUTE_MS,
  own,
  record,
  setUp,
  shared,
  taken,
  URL_OF_RECEIVER,
} from '../../test/webhook-kit.js';
import { agentFor } from '../operator.js';

const NOTHING = { proposals: 0, consumerLagMs: 0, webhooks: 0 };

// docs/contract/platform.md#plt-49
test('counts proposals, the lag of consumers, and webhooks that wait, of all tenants', async () => {
  const { keep, clock, receiver, deliver, create, webhooks, close } = await setUp();
  const counted = (expected: object) =>
    eventually(() => {
      expect(keep.backlog()).toEqual(expected);
    });
  await counted(NOTHING);

  for (const tenantId of ['acme', 'globex']) {
    const capabilities = ['memory_read', 'memory_propose'] as const;
    const at = { tenantId, scopes: [shared] };
    const paul = await agentFor(keep, { ...at, subjectId: 'paul', capabilities });
    await paul.proposals.propose(shared, { type: 'create', record });
  }
  await webhooks.create({ name: 'a', url: URL_OF_RECEIVER });
  receiver.answer = broken;
  const nina = await agentFor(keep, { tenantId: 'acme', subjectId: 'nina', scopes: [shared] });
  const worker = nina.memory.consumers.open('nightly', { start: 'latest' });
  await worker.claim();
  await create(shared);
  await eventually(async () => {
    await deliver();
    expect(receiver.requests.length).toBeGreaterThan(0);
  });
  // A minute is not over.
  clock.advance(MINUTE_MS - 1);
  expect(keep.backlog()).toEqual(NOTHING);
  clock.advance(1);
  keep.backlog();
  await counted({ proposals: 2, consumerLagMs: MINUTE_MS, webhooks: 1 });

  receiver.answer = taken;
  await deliver();
  const { page } = await worker.read();
  await worker.commit(page.next_after);
  clock.advance(MINUTE_MS);
  await counted({ proposals: 2, consumerLagMs: 0, webhooks: 0 });
  await close();
});

// docs/contract/platform.md#plt-49
test('a consumer that reads and finds nothing of its scope has no lag', async () => {
  const { keep, clock, create, close } = await setUp();
  const nina = await agentFor(keep, { tenantId: 'acme', subjectId: 'nina', scopes: [shared, own] });
  const { consumers } = nina.memory.in(own);
  for await (const page of consumers.open('own').pages()) expect(page).toBeUndefined();
  await create(shared);
  clock.advance(MINUTE_MS);
  await eventually(() => {
    expect(keep.backlog()?.consumerLagMs).toBe(MINUTE_MS);
  });
  for await (const page of consumers.open('own').pages()) expect(page).toBeUndefined();
  clock.advance(MINUTE_MS);
  await eventually(() => {
    expect(keep.backlog()?.consumerLagMs).toBe(0);
  });
  await close();
});
