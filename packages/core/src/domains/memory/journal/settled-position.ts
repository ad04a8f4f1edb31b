/** A position of the journal behind everything that was committed before. */
import { setTimeout } from 'node:timers/promises';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { LAST_POSITION } from '../../../storage/store/position.js';
import { changesBetween } from './change-store.js';

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
