/** What cases of erasures share: starting one, waiting for its end, and searching the store. */
import { eventually } from '@agentkeep/testkit/eventually';
import { expect } from 'vitest';
import { result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import type { Fixture } from '../harness/fixture.js';
import type { GlobalCaller } from '../harness/global-caller.js';

/** The members of every request. */
export const version = { contract_version: 1 };

/** The target of a subject. */
export const ofSubject = (subject_id: string) => ({ kind: 'subject', subject_id });

/** Asks for an erasure. */
export function start(caller: Caller, target: Members) {
  return caller.call('startErasure', { document: { ...version, target } });
}

/** Waits until an erasure is finished. */
export async function finished(t: Fixture, id: string) {
  return eventually(async () => {
    const { erasure } = result(await t.admin.call('getErasure', { id }));
    expect(erasure.status).toBe('finished');
    return erasure;
  });
}

/** Erases, and waits for the end. */
export async function erased(t: Fixture, target: Members) {
  const { erasure } = result(await start(t.admin, target));
  return finished(t, erasure.id);
}

/** Erases a tenant, and waits for the end. */
export async function erasedTenant(master: GlobalCaller, id: string) {
  const { erasure } = result(await master.call('eraseTenant', { id, document: version }));
  return eventually(async () => {
    const shown = result(await master.call('getTenantErasure', { id: erasure.id })).erasure;
    expect(shown.status).toBe('finished');
    return shown;
  });
}

/** Admits an erased subject anew. */
export async function admitted(t: Fixture, id: string): Promise<void> {
  const document = { ...version, expected_revision: 0 };
  result(await t.admin.call('putSubject', { id, document }));
}

/** The numbers of an erasure by family. */
export function countsOf({ counts }: Awaited<ReturnType<typeof finished>>): Record<string, number> {
  return Object.fromEntries(counts.map(({ family, entries }) => [family, entries]));
}

/** Returns every entry of the store as text. */
export async function wholeStore({ store }: Pick<Fixture, 'store'>): Promise<string> {
  return store.read((tx) => {
    const range = { from: new Uint8Array(), to: Buffer.alloc(64, 0xff) };
    return Array.from(tx.range(range), ({ key, value }) =>
      [key, value].map((bytes) => Buffer.from(bytes).toString('latin1')).join('\n'),
    ).join('\n');
  });
}
