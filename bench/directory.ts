/**
 * Benchmarks directory pages: the last of 100,000 credentials against the first, and those of a
 * small tenant beside a large one.
 */
import { type Agent, openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { temporaryDirectory } from './fixture.js';
import { compare, type Comparison, type Contender, inFlight } from './measure.js';

const CREDENTIALS = 100_000;
const LIMIT = 100;
const PAGES = 200;
const CALLERS = 256;

/** Two comparisons within one directory. */
export async function* directoryBenchmarks(): AsyncGenerator<Comparison, void> {
  await using directory = await temporaryDirectory();
  const options = { durability: 'relaxed', audit: { enabled: false } } as const;
  await using keep = await openKeep({ dataDir: directory.path, ...options });
  const administrator = async (tenantId: string, credentials: number): Promise<Agent> => {
    const { secret } = await bootstrapTenant(keep, { tenantId, subjectId: 'ops' });
    const admin = await keep.authenticate(secret);
    const spec = {
      subject_id: 'agent',
      capabilities: ['memory_read'] as 'memory_read'[],
      grants: [],
    };
    await inFlight(CALLERS, credentials - 1, () => admin.credentials.issue(spec));
    return admin;
  };
  // The small tenant sorts after the large one.
  const large = await administrator('large', CREDENTIALS);
  const small = await administrator('small', LIMIT);
  const first = pagesOf(large, undefined);
  const last = pagesOf(large, await lastCursor(large));
  yield { ...(await compare('last page of a directory', 0.9, last, first)), against: 'first page' };
  const beside = pagesOf(small, undefined);
  const name = 'page beside a large tenant';
  yield { ...(await compare(name, 0.9, beside, first)), against: 'its first page' };
}

function pagesOf(admin: Agent, cursor: string | undefined): Contender {
  const position = cursor === undefined ? {} : { cursor };
  return {
    operations: PAGES,
    round: async () => {
      for (let page = 0; page < PAGES; page++) {
        await admin.credentials.listPage({ limit: LIMIT, ...position });
      }
    },
  };
}

/** Returns the cursor before the last full page. */
async function lastCursor(admin: Agent): Promise<string> {
  let before: string | undefined;
  for (;;) {
    const position = before === undefined ? {} : { cursor: before };
    const { next_cursor: next } = await admin.credentials.listPage({ limit: LIMIT, ...position });
    if (next === null) return before ?? '';
    before = next;
  }
}
