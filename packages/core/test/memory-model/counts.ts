/**
 * Compares the numbers of entries that a keep knows with those of the model.
 */
import { expect } from 'vitest';
import { type Keep, runtimeOf } from '../../src/keep.js';
import type { CredentialModel } from '@agentkeep/testkit/credential-model';
import type { MemoryModel } from '@agentkeep/testkit/memory-model';
import { TENANTS } from './steps.js';

/** Compares what both count. */
export async function compareCounts(
  keep: Keep,
  credentials: CredentialModel,
  memory: MemoryModel,
): Promise<void> {
  const { tally } = runtimeOf(keep);
  expect(await tally.entries()).toMatchObject({
    tenants: TENANTS.length,
    credentials: credentials.count,
    ...memory.counts,
  });
}
