/** A call whose document arrives slowly is decided and dated when it is complete. */
import { beforeEach, expect, test } from 'vitest';
import type { Keep } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import { operations } from '../../domains.js';
import { bootstrapTenant } from '../../operator.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { testStore } from '@agentkeep/testkit/test-store';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;
const startMs = 1_800_000_000_000;

let clock: ManualClock;
let keep: Keep;
let secret: string;

beforeEach(async () => {
  clock = new ManualClock(startMs);
  keep = await openKeep({ store: testStore(), clock });
  const tenant = await bootstrapTenant(keep, { tenantId: 't', subjectId: 'ops' });
  const admin = await keep.authenticate(tenant.secret);
  const issued = await admin.credentials.issue({
    subject_id: 's',
    capabilities: ['memory_write'],
    grants: [scope],
    expires_at_millis: startMs + 1_000,
  });
  secret = issued.secret;
  return () => keep.close();
});

/** A command whose body arrives after a delay. */
function slowCommand(delayMs: number) {
  const record = { episode_type: 'Decision', content: { primary: '' }, event_time_millis: 0 };
  const document = () => {
    clock.advance(delayMs);
    const operation = { type: 'create', record };
    return { value: { contract_version: 1, idempotency_key: 'k', scope, operation } };
  };
  const proof = { kind: 'bearer', token: secret } as const;
  return keep.invoke(operations.executeMemoryCommand, { document }, { proof });
}

test('a stored record has the time at which the document was complete', async () => {
  const { receipt } = await slowCommand(999);
  expect(receipt.committed_at_millis).toBe(startMs + 999);
});

test('a credential that expires during the upload commits nothing', async () => {
  await expect(slowCommand(1_000)).rejects.toMatchObject({ code: 'unauthorized' });
});
