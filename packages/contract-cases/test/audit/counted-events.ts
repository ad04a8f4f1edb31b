/** Events that stand for repeats (docs/contract/audit.md#aud-77), as often as they happened. */
import type { AuditEvent } from '@agentkeep/core';

/** Returns each event as often as its `count` says; once without one. */
export function eachCounted<E extends Pick<AuditEvent, 'metadata'>>(events: readonly E[]): E[] {
  return events.flatMap((event) => {
    const { count = 1 } = event.metadata;
    return Array.from({ length: Number(count) }, () => event);
  });
}
