/** Opens the audit log. */
import type { Participant } from '../../storage/store/participant.js';
import type { Transactions } from '../../storage/store/store.js';
import type { AuditPort } from '../audit/audit.js';
import type { Clock } from '../ports/clock.js';
import { AuditFiles } from './audit-files.js';
import { AuditLog } from './audit-log.js';
import type { AuditSettings } from './audit-options.js';
import { ChangeEvents } from './change-events.js';

/** The two halves of an audit log. */
interface OpenedAudit {
  /** Stores the events of changes. Every change has to go through it. */
  readonly participant: Participant;
  /** Opens the log over the store that the participant takes part in. Call it once. */
  readonly openLog: (store: Transactions) => AuditPort;
}

/** Prepares the audit log; nothing is written before it is opened over its store. */
export function openAudit(clock: Clock, settings: AuditSettings): OpenedAudit {
  if (!settings.enabled) return { participant: {}, openLog: () => noAudit };
  const { logPath: directory, maxFileBytes, retentionMs } = settings;
  const files =
    directory === undefined
      ? undefined
      : new AuditFiles({ directory, maxFileBytes, retentionMs, clock, onFailure: tellFailure });
  const changes = new ChangeEvents(settings, files);
  return {
    participant: changes,
    openLog: (store) => new AuditLog({ store, clock, settings, changes }),
  };
}

function tellFailure(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `agentkeep: audit files cannot be written; events are still recorded in the store. ${reason}\n`,
  );
}

/** Records nothing. */
export const noAudit: AuditPort = {
  isEnabled: false,
  recordsReads: false,
  changed: () => undefined,
  observed: () => undefined,
  maxEvents: 0,
  waitingEvents: 0,
  waitingLines: 0,
  keptFrom: () => Infinity,
  flush: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
