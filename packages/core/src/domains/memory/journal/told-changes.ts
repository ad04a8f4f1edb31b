/** Tells work in the background which tenants this process has just changed the memory of. */
import type { Participant } from '../../../storage/store/participant.js';
import type { WriteTx } from '../../../storage/store/store.js';

class MemoryChange {
  readonly tenantId: string;

  constructor(tenantId: string) {
    this.tenantId = tenantId;
  }
}

/** Notes that a body appends a change of the memory of a tenant. */
export function noteMemoryChange(tx: WriteTx, tenantId: string): void {
  tx.notes.push(new MemoryChange(tenantId));
}

/**
 * Returns the participant that calls back with the tenant of each change, after its commit. It
 * works for every store, as it needs to see the commits of this process only.
 */
export function tellChanges(tell: (tenantId: string) => void): Participant<void> {
  return {
    settle: ({ notes }) =>
      notes.flatMap((note) => (note instanceof MemoryChange ? [note.tenantId] : [])),
    committed: (tenants) => {
      for (const tenantId of new Set(tenants as readonly string[])) tell(tenantId);
    },
  };
}
