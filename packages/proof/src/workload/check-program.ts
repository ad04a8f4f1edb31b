/**
 * The program that opens directories after a fault and checks them in sequence. It is a separate
 * process because damage may end it. Started by `keep-checker.ts`.
 */
import { AgentkeepError, type Keep, openKeep } from '@agentkeep/core';
import { verifyAudit, verifyStore } from '@agentkeep/core/operator';
import { faultsOfAuditFiles } from './audit-lines.js';
import type { CheckResult, CheckTask } from './check-messages.js';
import { differences } from './checks.js';
import { type Parties, partiesOf } from './parties.js';

async function check(task: CheckTask): Promise<CheckResult> {
  let keep: Keep;
  try {
    keep = await openKeep({ dataDir: task.dataDir });
  } catch (error) {
    if (!(error instanceof AgentkeepError)) throw error;
    const { code, message, cause } = error;
    const reason = cause instanceof Error ? `${message} ${cause.message}` : message;
    return { type: 'refused', code, reason };
  }
  const violations: string[] = [];
  try {
    violations.push(...(await faultsOf(keep, task)));
  } finally {
    await keep.close();
  }
  violations.push(...(await damageIn(task.dataDir)));
  return { type: 'opened', violations };
}

async function faultsOf(keep: Keep, { auditFiles, expected }: CheckTask): Promise<string[]> {
  const { broken_at } = await verifyAudit(keep);
  const broken = broken_at === null ? [] : [`The audit chain is broken at ${broken_at}.`];
  if (expected === undefined) return broken;
  const { secrets, accounts } = expected;
  let parties: Parties;
  try {
    parties = await partiesOf(secrets, keep);
  } catch (error) {
    return [...broken, `Issued secrets are not accepted: ${String(error)}`];
  }
  const stored = new Set<string>();
  for await (const { event_id } of parties.root.audit.query({ limit: 1_000 })) stored.add(event_id);
  const lines =
    auditFiles === undefined ? [] : faultsOfAuditFiles(auditFiles, (id) => stored.has(id));
  return [...broken, ...lines, ...(await differences(parties, accounts))];
}

async function damageIn(dataDir: string): Promise<string[]> {
  try {
    await verifyStore({ dataDir });
    return [];
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    return [`It does not verify: ${String(error)} ${cause}`];
  }
}

process.on('message', (task: CheckTask) => {
  void check(task).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.send?.({ type: 'opened', violations: [`The check failed: ${text}`] });
    },
  );
});
process.once('disconnect', () => process.exit());
