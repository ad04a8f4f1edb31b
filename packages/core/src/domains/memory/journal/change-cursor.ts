/**
 * Cursors of the change feed: positions of one tenant, sealed so that nobody learns from them how
 * much others change.
 */
import { setTimeout } from 'node:timers/promises';
import type { RefusedMember } from '../../../contract/errors/agentkeep-error.js';
import { cursorSecret } from '../../../kernel/installation/cursor-secret.js';
import { SealedCursors } from '../../../kernel/lists/cursor.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { LAST_POSITION } from '../../../storage/store/position.js';
import { changesBetween } from './change-store.js';

/** What the change feed expects of a cursor that it refuses. */
export const FOREIGN_AFTER: RefusedMember = {
  path: 'after',
  expected: 'a cursor of this feed, or latest',
};

/** Makes and reads the cursors of one tenant. */
export type ChangeCursors = SealedCursors;

/** Returns the cursors of a tenant. */
export async function cursorsOf(
  runtime: Pick<Runtime, 'ports' | 'entropy'>,
  tenantId: string,
): Promise<ChangeCursors> {
  const of = { use: 'agentkeep change cursor 1', tenantId };
  return new SealedCursors(await cursorSecret.of(runtime)(), of, runtime.entropy);
}

/** How often it is looked again for commits that an earlier one holds back. */
const HELD_LOOKS_MAX = 7;
/** The first wait; each further one is twice as long. */
const HELD_MS_MIN = 4;

/** Returns the position of the current state of a tenant. */
export async function settledPosition(
  { store }: Pick<Runtime, 'store'>,
  tenantId: string,
): Promise<Uint8Array> {
  for (let looks = 0; ; looks += 1) {
    const found = await store.read((tx) => {
      const horizon = Uint8Array.from(tx.horizon());
      const span = { from: horizon, to: LAST_POSITION, limit: 1 };
      const isHeld = store.isShared && changesBetween(tx, tenantId, span).length > 0;
      return { horizon, isHeld };
    });
    if (!found.isHeld || looks === HELD_LOOKS_MAX) return found.horizon;
    await setTimeout(HELD_MS_MIN * 2 ** looks);
  }
}
