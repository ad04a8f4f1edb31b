/** Audit events of the operator: local commands, starts and stops of a server. */
import { digestsOf, rememberSettings, type SecuritySettings } from './security-settings.js';
import type { AuditDraft } from '../audit/audit.js';
import type { Clock } from '../ports/clock.js';
import type { Runtime } from '../services/runtime.js';
import type { WriteTx } from '../../storage/store/store.js';
import { CONTRACT_DOCUMENT_VERSION } from '../../contract/version.js';
import type { EventSubject } from '../audit/call-events.js';

const noActor = { userId: null, username: null, ipAddress: null, userAgent: null } as const;

/** Returns an event whose actor is a local operator command. */
export function operatorEvent(
  { newId, clock }: Pick<Runtime, 'newId'> & { readonly clock: Pick<Clock, 'now'> },
  tenantId: string | null,
  { metadata, ...rest }: Omit<EventSubject, 'actor' | 'atMillis'>,
): AuditDraft {
  return {
    id: newId(),
    atMillis: clock.now(),
    tenantId,
    ...noActor,
    ...rest,
    metadata: { ...metadata, principal: 'operator' },
  };
}

/**
 * Records a server start, and which security settings or signing keys differ from the last start.
 * A first signing key is generated meanwhile and afterwards.
 */
export async function recordStartup(runtime: Runtime, settings: SecuritySettings): Promise<void> {
  const { store, audit, tokens } = runtime;
  await tokens.prepare();
  const started = systemEvent(runtime, 'system_startup', { version: CONTRACT_DOCUMENT_VERSION });
  const draft = systemEvent(runtime, 'configuration_changed', {});
  await store.transact((tx) => {
    audit.changed(tx, started);
    // Read here, because another server may store the first key at the same time.
    const changed = rememberSettings(
      tx,
      digestsOf({ ...settings, signing_keys: tokens.keyIds(tx) }),
    );
    if (changed.length > 0) audit.changed(tx, { ...draft, metadata: { changed } });
  });
}

/** Records a server stop, after everything else that the server did. */
export async function recordShutdown(runtime: Runtime, uptimeSeconds: number): Promise<void> {
  await runtime.audit.flush();
  await recordSystem(runtime, 'system_shutdown', { uptime_seconds: uptimeSeconds });
}

/** The outcome of a scheduled snapshot: what was made and removed, or the code of its error. */
export type SnapshotOutcome =
  { readonly snapshot_id: string; readonly removed: string[] } | { readonly error: string };

/** Records that the schedule made a snapshot, or that it could not. */
export async function recordSnapshot(
  runtime: Pick<Runtime, 'store' | 'audit' | 'newId' | 'clock'>,
  outcome: SnapshotOutcome,
): Promise<void> {
  const made = systemEvent(runtime, 'snapshot_made', { ...outcome });
  const draft = 'error' in outcome ? { ...made, result: 'error' as const } : made;
  await runtime.store.transact((tx) => {
    runtime.audit.changed(tx, draft);
  });
}

/** Returns what records, in the commit of a raise, that the level of the store was raised. */
export function raiseRecord(runtime: Runtime): (tx: WriteTx) => void {
  const draft = systemEvent(runtime, 'configuration_changed', { changed: ['store_level'] });
  return (tx) => {
    runtime.audit.changed(tx, draft);
  };
}

type SystemEvent = 'system_startup' | 'system_shutdown' | 'configuration_changed' | 'snapshot_made';

async function recordSystem(
  runtime: Runtime,
  type: SystemEvent,
  metadata: AuditDraft['metadata'],
): Promise<void> {
  const draft = systemEvent(runtime, type, metadata);
  await runtime.store.transact((tx) => {
    runtime.audit.changed(tx, draft);
  });
}

function systemEvent(
  { newId, clock }: Pick<Runtime, 'newId' | 'clock'>,
  type: SystemEvent,
  metadata: AuditDraft['metadata'],
): AuditDraft {
  const subject = { type, action: type, resource: 'system', result: 'success', metadata } as const;
  return { id: newId(), atMillis: clock.now(), tenantId: null, ...noActor, ...subject };
}
