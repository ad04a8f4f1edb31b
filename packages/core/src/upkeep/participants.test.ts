/** The order of the participants of a keep: what each one needs to come before it. */
import { expect, test } from 'vitest';
import { families } from '../domains.js';
import { auditDraft } from '../../test/audit-draft.js';
import { systemEntropy } from '../kernel/ports/entropy.js';
import { uuidV7Generator } from '../kernel/ports/ids.js';
import { inMemoryStore } from '../storage/in-memory-store/in-memory-store.js';
import { tenantOfKey } from '../storage/store/key.js';
import { withParticipants } from '../storage/store/participant.js';
import type { Store } from '../storage/store/store.js';
import { ManualClock } from '../testing/manual-clock.js';
import { auditSettings } from '../kernel/audit-log/audit-options.js';
import { openAudit } from '../kernel/audit-log/open-audit.js';
import { inOrder } from './participants.js';
import { quotaParticipant } from './quota/quota-participant.js';
import { findQuota, putQuota } from './stored/quota-store.js';
import { openTally } from './stats/get-stats.js';

const TENANT = 'acme';

/** Returns the entries of the tenant, and the bytes of their keys and values. */
async function stored(store: Store) {
  const use = { entries: 0, bytes: 0 };
  await store.scan(({ key, value }) => {
    if (key[0] === 0 || tenantOfKey(key) !== TENANT) return;
    use.entries += 1;
    use.bytes += key.length + value.length;
  });
  return use;
}

test('events take storage of their tenant, and are counted', async () => {
  const below = inMemoryStore();
  const clock = new ManualClock();
  const newId = uuidV7Generator(clock, systemEntropy);
  const tally = await openTally({ store: below, families, clock });
  const { participant, openLog } = openAudit(clock, auditSettings({}));
  const quota = quotaParticipant(() => undefined);
  const store = withParticipants(
    below,
    inOrder({ remembered: {}, audit: participant, quota, counts: tally, told: {} }),
  );
  const audit = openLog(store);
  await store.transact((tx) => {
    const bounds = { maxEntries: 1_000, maxBytes: null };
    const use = { entries: 0, bytes: 0, countedTo: null };
    putQuota(tx, { tenantId: TENANT, ...bounds, ...use, revision: 2 });
  });
  await store.transact((tx) => audit.changed(tx, auditDraft({ id: newId(), atMillis: 1 })));
  const use = await stored(below);
  expect(use.entries).toBeGreaterThan(1);
  expect(await store.read((tx) => findQuota(tx, TENANT))).toMatchObject(use);
  expect(await tally.entries()).toMatchObject({ audit_events: 1 });
  await audit.close();
});
