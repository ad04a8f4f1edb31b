/**
 * The events of whoever runs the installation: local commands, starts and stops of a server.
 * @module
 */
import type { AuditDraft } from '../runtime/audit.js';
import type { Runtime } from '../runtime/runtime.js';
import { CONTRACT_DOCUMENT_VERSION } from '../version.js';
import type { EventSubject } from './call-events.js';

const nobody = { userId: null, username: null, ipAddress: null, userAgent: null } as const;

/** An event whose actor is a local operator command. */
export function operatorEvent(
  { newId, clock }: Pick<Runtime, 'newId' | 'clock'>,
  tenantId: string | null,
  { metadata, ...rest }: Omit<EventSubject, 'actor' | 'atMillis'>,
): AuditDraft {
  return {
    id: newId(),
    atMillis: clock.now(),
    tenantId,
    ...nobody,
    ...rest,
    metadata: { ...metadata, principal: 'operator' },
  };
}

/** Stores that a server starts. */
export function recordStartup(runtime: Runtime): Promise<void> {
  return recordSystem(runtime, 'system_startup', { version: CONTRACT_DOCUMENT_VERSION });
}

/** Stores that a server stops, behind everything else that it did. */
export async function recordShutdown(runtime: Runtime, uptimeSeconds: number): Promise<void> {
  await runtime.audit.flush();
  await recordSystem(runtime, 'system_shutdown', { uptime_seconds: uptimeSeconds });
}

async function recordSystem(
  { newId, clock, store, audit }: Runtime,
  type: 'system_startup' | 'system_shutdown',
  metadata: AuditDraft['metadata'],
): Promise<void> {
  const subject = { type, action: type, resource: 'system', result: 'success', metadata } as const;
  const draft = { id: newId(), atMillis: clock.now(), tenantId: null, ...nobody, ...subject };
  await store.transact((tx) => {
    audit.changed(tx, draft);
  });
}
