/**
 * `agentkeep verify-audit`: checks the hash chains of the audit log.
 */
import {
  type AuditVerification,
  verifyAuditOfDirectory,
  verifyAuditOfStore,
} from '@agentkeep/core/operator';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { KEY_OPTIONS } from '../command/option-sets.js';
import { CommandError } from '../command/command-error.js';
import { withDatabase } from './open-store.js';
import { jsonLine } from '../output/printable.js';

/** Names the first event whose link fails and ends with exit status 1 then. */
export const verifyAudit: ServiceCommand = {
  name: 'verify-audit',
  positionals: [],
  summary: 'Check that no kept audit event was altered, removed or moved.',
  description: [
    'Follows the hash chain of every tenant and of the installation, from the oldest kept ' +
      'event to the newest. Names the first event whose link fails, or the oldest one of a chain ' +
      'that has lost its head, and ends with exit status 1 then.',
    'Safe beside a running server: it then checks a copy of the last state, which needs as ' +
      'much temporary disk space as the store.',
  ],
  options: ['data_dir', 'store_url', ...KEY_OPTIONS],
  hasJson: true,
  examples: [
    'agentkeep verify-audit --data-dir ./data',
    'agentkeep verify-audit --data-dir ./backup --json',
  ],
  run,
};

async function run({ io, options, json }: Invocation): Promise<void> {
  const { dataDir, storeUrl, encryption } = options;
  const report = await (storeUrl === undefined
    ? verifyAuditOfDirectory(dataDir, encryption)
    : withDatabase(storeUrl, (store) => verifyAuditOfStore(store, encryption)));
  await io.writeOut(json ? jsonLine(report) : `${sentenceOf(report)}\n`);
  if (report.broken_at === null) return;
  throw new CommandError(
    `The audit log does not verify: the link of event ${report.broken_at} fails, or the chain ` +
      'that it belongs to has lost its head. Keep the directory as evidence and restore a backup.',
  );
}

function sentenceOf({
  status,
  events_checked,
  first_event,
  last_event,
}: AuditVerification): string {
  const span = first_event === null ? '' : `, from ${first_event} to ${last_event ?? first_event}`;
  return `${status}: ${events_checked} events checked${span}`;
}
