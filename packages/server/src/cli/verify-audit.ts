/**
 * `agentkeep verify-audit`: checks the hash chains of the audit log.
 * @module
 */
import {
  type AuditVerification,
  verifyAuditOfDirectory,
  verifyAuditOfStore,
} from '@agentkeep/core/operator';
import type { Command, Invocation } from './command.js';
import { CommandError } from './command-error.js';
import { withDatabase } from './open-store.js';

/** Names the first event whose link fails, and then ends with exit status 1. */
export const verifyAudit: Command = {
  name: 'verify-audit',
  positionals: [],
  summary: 'Check that no audit event that is kept was altered, removed or moved.',
  description: [
    'Follows the hash chain of every tenant and of the installation, from the oldest event that ' +
      'is kept to the newest. The first event whose link fails is named, and the exit status is 1.',
    'Safe beside a running server: a copy of its last state is checked then, which takes as much ' +
      'room among the temporary files as the store does.',
  ],
  options: ['data_dir', 'store_url'],
  hasJson: true,
  examples: [
    'agentkeep verify-audit --data-dir ./data',
    'agentkeep verify-audit --data-dir ./backup --json',
  ],
  run,
};

async function run({ io, options, json }: Invocation): Promise<void> {
  const { dataDir, storeUrl } = options;
  const report = await (storeUrl === undefined
    ? verifyAuditOfDirectory(dataDir)
    : withDatabase(storeUrl, verifyAuditOfStore));
  await io.writeOut(json ? `${JSON.stringify(report)}\n` : `${sentenceOf(report)}\n`);
  if (report.broken_at === null) return;
  throw new CommandError(
    `The audit log does not verify: the link of event ${report.broken_at} fails. ` +
      'Keep the directory as evidence and restore a backup.',
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
