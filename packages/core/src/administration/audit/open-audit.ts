/** Opens the audit log of a store. */
import type { AuditPort } from '../../runtime/audit/audit.js';
import type { Clock } from '../../runtime/ports/clock.js';
import type { Transactions } from '../../storage/store/store.js';
import { AuditFiles } from './audit-files.js';
import { AuditLog } from './audit-log.js';
import type { AuditSettings } from './audit-options.js';
import { noAudit } from './no-audit.js';

/** Opens the audit log and returns the store that all changes must go through. */
export function openAudit(
  store: Transactions,
  clock: Clock,
  settings: AuditSettings,
): { readonly store: Transactions; readonly audit: AuditPort } {
  if (!settings.enabled) return { store, audit: noAudit };
  const { logPath: directory, maxFileBytes, retentionMs } = settings;
  const files =
    directory === undefined
      ? undefined
      : new AuditFiles({ directory, maxFileBytes, retentionMs, clock, onFailure: tellFailure });
  const audit = new AuditLog({ store, clock, settings, files });
  return { store: audit.followed(store), audit };
}

function tellFailure(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `agentkeep: audit files cannot be written; events are still recorded in the store. ${reason}\n`,
  );
}
