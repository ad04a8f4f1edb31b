/** `agentkeep verify-erasure`: looks for what an erasure had to remove. */
import { join } from 'node:path';
import {
  type ErasureToVerify,
  type ErasureVerification,
  verifyErasureOfDirectory,
  verifyErasureOfStore,
} from '@agentkeep/core/operator';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { CommandError } from '../command/command-error.js';
import { KEY_OPTIONS } from '../command/option-sets.js';
import type { GivenFlags } from '../command/given-flags.js';
import { UsageError } from '../command/usage-error.js';
import { jsonLine } from '../output/printable.js';
import { withDatabase } from './open-store.js';

/** Ends with exit status 1 if something is left, or if nothing was erased. */
export const verifyErasure: ServiceCommand = {
  name: 'verify-erasure',
  positionals: ['tenant'],
  summary: 'Search the whole store for data that an erasure should have removed.',
  description: [
    'Name the subject, or the scope as JSON, that was erased in the tenant; without either, the ' +
      'tenant itself. Every entry of the tenant and of the installation is decoded and searched, ' +
      'for a subject also for the names and addresses that its accounts had. ' +
      'Ends with exit status 1 if something is left, or if no erasure of it is finished. What was ' +
      'written after the erasure under the same id is found too.',
    'Also lists the copies from before that it cannot look into, with their dates: snapshots, ' +
      'audit files, and backups of a database.',
    'Safe beside a running server: it then searches a copy of the last state, which needs as ' +
      'much temporary disk space as the store.',
  ],
  options: ['data_dir', 'store_url', 'audit_log_path', ...KEY_OPTIONS],
  ownFlags: [
    { name: 'subject', placeholder: '<id>', summary: 'The subject that was erased.' },
    { name: 'scope', placeholder: '<json>', summary: 'The scope that was erased.' },
    {
      name: 'name',
      placeholder: '<text>',
      summary: 'Another name of the subject to search for.',
      isRepeatable: true,
    },
  ],
  hasJson: true,
  examples: [
    'agentkeep verify-erasure acme --subject user-1 --data-dir ./data',
    'agentkeep verify-erasure acme --data-dir ./data --json',
  ],
  run,
};

async function run({ io, options, positionals, flags, json }: Invocation): Promise<void> {
  const { dataDir, storeUrl, encryption } = options;
  const [tenantId = ''] = positionals;
  const auditDir = options.audit.logPath ?? join(dataDir, 'audit');
  const target = targetIn(tenantId, flags);
  const names = flags.all('name');
  if (names.length > 0 && target.kind !== 'subject')
    throw new UsageError('--name needs --subject.');
  const asked = { tenantId, target, names, dataDir, auditDir, encryption };
  const report = await (storeUrl === undefined
    ? verifyErasureOfDirectory(asked)
    : withDatabase(storeUrl, (store) => verifyErasureOfStore(store, asked)));
  await io.writeOut(json ? jsonLine(report) : `${textOf(report)}\n`);
  if (report.status === 'not_erased') {
    throw new CommandError('No finished erasure of it is stored. Begin one with erasures start.');
  }
  if (report.status === 'left') {
    throw new CommandError('Something is left. If it was written afterwards, erase again.');
  }
}

function targetIn(tenantId: string, flags: GivenFlags): ErasureToVerify['target'] {
  const subject = flags.text('subject');
  const scope = flags.text('scope');
  if (scope === undefined) {
    return subject === undefined
      ? { kind: 'tenant', tenant_id: tenantId }
      : { kind: 'subject', subject_id: subject };
  }
  try {
    const parsed = JSON.parse(scope) as Extract<
      ErasureToVerify['target'],
      { kind: 'scope' }
    >['scope'];
    const whole = { ...parsed, mission_id: parsed.mission_id ?? null };
    return { kind: 'scope', scope: whole, subject_id: subject ?? null };
  } catch (cause) {
    throw new UsageError('--scope must be a scope as JSON.', { cause });
  }
}

function textOf({ status, erasures, families, beyond_reach: copies }: ErasureVerification): string {
  const examined = families.reduce((sum, { entries }) => sum + entries, 0);
  return [
    `${status}: ${examined} entries of ${families.length} families searched`,
    ...erasures.map(({ id, finished_at_millis: at }) => {
      return `  erasure ${id}, ${at === null ? 'running' : `finished ${new Date(at).toISOString()}`}`;
    }),
    ...families
      .filter(({ left, kept }) => left + kept > 0)
      .map(({ family, left, kept }) => `  ${family}: ${left} left, ${kept} of others name it`),
    ...copies.map(({ kind, id, created_at: from, before }) => {
      const what = [kind, id].filter((each) => each !== undefined).join(' ');
      return `  out of reach: ${what}${from === undefined ? `, until ${before ?? 'now'}` : `, ${from}`}`;
    }),
  ].join('\n');
}
