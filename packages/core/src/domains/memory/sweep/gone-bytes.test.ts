/** A copy has no byte of what was redacted or deleted (docs/contract/history.md#his-24). */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyStore } from '../../../upkeep/snapshot/copy-store.js';
import { runtimeOf } from '../../../keep/keep.js';
import { openKeep } from '../../../keep/open-keep.js';
import { agentFor, bootstrapTenant } from '../../../operator.js';
import { dataFileOf } from '../../../storage/lmdb-store/data-file.js';
import { openLmdbStore } from '../../../storage/lmdb-store/open-lmdb-store.js';
import { ManualClock } from '../../../testing/manual-clock.js';
import { MemorySweeper } from './memory-sweeper.js';

const DAY_MS = 86_400_000;
const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;

/** A record in which every part that is stored holds a text. */
const saying = (text: string, valid_until_millis: number | null = null) => ({
  episode_type: { Custom: `type ${text}` },
  content: {
    primary: `primary ${text}`,
    secondary: `secondary ${text}`,
    context: `context ${text}`,
    data: { [`name ${text}`]: `data ${text}` },
  },
  event_time_millis: 0,
  valid_until_millis,
  tags: [`tag ${text}`],
  metadata: { text },
});

/** Returns the texts of which any part is in a file. */
function found(file: string): string[] {
  const texts = ['aged', 'deleted', 'expired', 'kept', 'kept too', 'redacted', 'restorable'];
  // Folded text of search entries is lower case, and so is all of this.
  return texts.filter((text) =>
    ['type', 'primary', 'secondary', 'context', 'name', 'data', 'tag'].some((part) =>
      file.includes(`${part} ${text}`),
    ),
  );
}

test('HIS-C19 a copy holds what is kept, and no byte of what was taken away', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gone-'));
  const clock = new ManualClock();
  const store = await openLmdbStore({ directory: join(directory, 'data') });
  const keep = await openKeep({ store, clock });
  const tenant = { tenantId: 'acme', subjectId: 'ops' };
  const admin = await keep.authenticate((await bootstrapTenant(keep, tenant)).secret);
  const worker = { tenantId: 'acme', subjectId: 'worker', scopes: [scope] };
  const memory = (await agentFor(keep, worker)).memory.in(scope);

  const first = await memory.put('first', saying('redacted'));
  await memory.put('first', saying('kept'));
  const { record_id: recordId } = first;
  await memory.redact({ recordId, revision: 1 });
  for (let left = 12; left > 0; left -= 1) await memory.put('second', saying('deleted'));
  await memory.delete({ name: 'second' });
  await memory.put('third', saying('expired', clock.now() + 1));
  await memory.put('third', saying('expired', clock.now() + 2));
  clock.advance(2 * DAY_MS);
  await admin.retention.set({ expectedRevision: 0 }, { expired_days: 1, deleted_days: 3 });
  await memory.put('fourth', saying('restorable'));
  await memory.delete({ name: 'fourth' });
  await memory.put('fifth', saying('aged'));
  await memory.put('fifth', saying('kept too'));
  await new MemorySweeper(runtimeOf(keep)).sweep();

  const textIn = async (name: string): Promise<string> => {
    const copy = join(directory, name);
    const to = await openLmdbStore({ directory: copy });
    // Pages that are copied whole still hold what was in them before.
    await copyStore({ from: { store }, to: { store: to } });
    await to.close();
    return readFile(dataFileOf(copy), 'latin1');
  };
  const now = await textIn('now');
  expect(found(now)).toEqual(['aged', 'kept', 'kept too', 'restorable']);

  clock.advance(40 * DAY_MS);
  await new MemorySweeper(runtimeOf(keep)).sweep();
  expect(found(await textIn('later'))).toEqual(['kept', 'kept too']);
  await keep.close();
  await rm(directory, { recursive: true });
});
