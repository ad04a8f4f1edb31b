/**
 * Proof: callers that attack the availability of a server cost another tenant nothing.
 */
import { logIn } from '@agentkeep/server/client';
import type { Finding, ProofProgram, ProofRun } from '../proof.js';
import { requireProcessFiles } from '../soak/gauges.js';
import { AbusedSite, BAD, PASSWORD } from './abused-site.js';
import { type Amounts, amountsOf } from './amounts.js';
import type { Attack } from './attack.js';
import { attacksOnAccounts } from './attacks/attacks-on-accounts.js';
import { attacksOnApprovals } from './attacks/attacks-on-approvals.js';
import { attacksOnConnections } from './attacks/attacks-on-connections.js';
import { attacksOnExchanges } from './attacks/attacks-on-exchanges.js';
import { attacksOnFetches } from './attacks/attacks-on-fetches.js';
import { attacksOnFrontDoor } from './attacks/attacks-on-front-door.js';
import { attacksOnKeys } from './attacks/attacks-on-keys.js';
import { attacksOnMcp } from './attacks/attacks-on-mcp.js';
import { attacksOnQuotas } from './attacks/attacks-on-quotas.js';
import { attacksOnReads } from './attacks/attacks-on-reads.js';
import { attacksOnSignIns } from './attacks/attacks-on-sign-ins.js';
import { attacksOnWebhooks } from './attacks/attacks-on-webhooks.js';
import { GoodTenant } from './good-tenant.js';
import { HostileSocket, postOf } from './hostile-socket.js';
import { Losses } from './losses.js';
import { residentMemory } from './memory-peak.js';
import { OpenFiles } from './open-files.js';

const attacks: readonly Attack[] = [
  ...attacksOnReads,
  ...attacksOnAccounts,
  ...attacksOnConnections,
  ...attacksOnWebhooks,
  ...attacksOnMcp,
  ...attacksOnQuotas,
  ...attacksOnExchanges,
  ...attacksOnFrontDoor,
  ...attacksOnApprovals,
  ...attacksOnSignIns,
  ...attacksOnFetches,
  ...attacksOnKeys,
];
/** Most resident memory, in MB. */
const MEMORY_MAX = 600;
/** Most files and sockets that are open: a common limit of a process, where clients get resets. */
const FILES_MAX = 4_096;
/** Most milliseconds that half of the tenant's short calls take beside one attack. */
const MEDIAN_MS_MAX = 10;
/** The last byte of the address of the first attack. */
const FIRST_ADDRESS = 11;

/** Runs attacks beside a well-behaved tenant: each alone at full scale, then all at once. */
export const abuse: ProofProgram = {
  name: 'abuse',
  claim: 'Attacks on availability make no other tenant lose a call, a write or an event.',
  run: attackAll,
};

async function attackAll(run: ProofRun): Promise<Finding> {
  requireProcessFiles();
  const amounts = amountsOf[run.scale];
  await using site = await AbusedSite.open(amounts);
  const losses = new Losses();
  using tenant = new GoodTenant(site, losses);
  const eventsBefore = await changesInLog(site);
  const idle = await residentMemory(site.pid);
  using files = new OpenFiles(() => site.pid);
  const unfinished = new Map(attacks.map((attack) => [attack, 'the server ended']));
  const figures = new Map<string, number>();
  const stage = { site, tenant, amounts, losses, unfinished, figures };
  let attempts = 0;
  const alone = amounts.isEachAlone ? attacks.map((attack) => [attack]) : [];
  for (const chosen of [...alone, attacks]) {
    if (site.hasEnded) break;
    const name = chosen === attacks ? 'all attacks' : (chosen[0]?.name ?? '');
    run.report(name);
    attempts += await besideTenant(stage, name, chosen);
  }
  for (const [{ name }, why] of unfinished) {
    losses.add(`The attack "${name}" was not carried out: ${why}.`);
  }
  if (files.most > FILES_MAX) losses.add(`The server had ${files.most} files open.`);
  const after = await afterwards(stage, { idleMb: idle.now, eventsBefore });
  const done = { attempts, ...after, 'open files': files.most, ...Object.fromEntries(figures) };
  return { done, violations: losses.list() };
}

interface Abused {
  readonly site: AbusedSite;
  readonly tenant: GoodTenant;
  readonly amounts: Amounts;
  readonly losses: Losses;
  /** The attacks that have not been carried out to their end yet, and why. */
  readonly unfinished: Map<Attack, string>;
  /** Those of the first stage of each attack, which ran alone if it could. */
  readonly figures: Map<string, number>;
}

/** Runs attacks at the same time, and the tenant beside them. Returns the number of attempts. */
async function besideTenant(
  { site, tenant, amounts, losses, unfinished, figures }: Abused,
  name: string,
  chosen: readonly Attack[],
): Promise<number> {
  const { enough, end } = tenant.workBeside(site, name, amounts.rounds);
  let attempts = 0;
  const running = chosen.map(async (attack) => {
    const from = `127.0.0.${FIRST_ADDRESS + attacks.indexOf(attack)}`;
    try {
      const result = await attack.run({ site, amounts, from, enough });
      attempts += result.attempts;
      for (const violation of result.violations) losses.add(violation);
      for (const [figure, value] of Object.entries(result.figures ?? {})) {
        if (!figures.has(figure)) figures.set(figure, value);
      }
      unfinished.delete(attack);
    } catch (error) {
      // One attacker may keep another from its work.
      if (unfinished.has(attack)) unfinished.set(attack, String(error));
    }
  });
  await Promise.all(running);
  const tookMs = await end();
  const medianMs = Math.round(shareOf(tookMs, 0.5));
  // All attacks at once take all of the machine.
  if (chosen.length === 1 && medianMs > MEDIAN_MS_MAX) {
    losses.add(`Beside ${name}, half of the short calls took ${medianMs} ms or longer.`);
  }
  if (site.hasEnded) losses.add(`The server ended beside ${name}.`);
  return attempts;
}

interface Before {
  readonly idleMb: number;
  readonly eventsBefore: readonly string[];
}

/** Stops the server while a body is half sent, starts it again, and looks for what was lost. */
async function afterwards({ site, tenant, losses }: Abused, { idleMb, eventsBefore }: Before) {
  const { calls } = tenant;
  const figures: Record<string, number> = { calls };
  if (!site.hasEnded) {
    const { peak } = await residentMemory(site.pid);
    figures['MB above idle'] = Math.round(peak - idleMb);
    if (peak > MEMORY_MAX) losses.add(`The server took ${Math.round(peak)} MB of memory.`);
    const status = await stopBesideHalfBody(site);
    if (status !== 0) losses.add(`The server ended with status ${String(status)}.`);
  }
  await site.start();
  tenant.reconnect(site);
  await tenant.checkAll();
  const eventsAfter = new Set(await changesInLog(site));
  for (const id of eventsBefore) {
    if (!eventsAfter.has(id))
      losses.add('The event of an earlier change is missing in the audit log.');
  }
  await site.stop();
  if ((await site.verifyAudit()) !== 0) losses.add('The chain of the audit log is broken.');
  const latency = (share: number): number =>
    Math.round(shareOf(tenant.latenciesMs, share) * 10) / 10;
  return { ...figures, 'ms (median)': latency(0.5), 'ms (p99)': latency(0.99) };
}

/** Returns the time within which a share of the calls was answered. */
function shareOf(latenciesMs: readonly number[], share: number): number {
  const sorted = latenciesMs.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * share)] ?? NaN;
}

async function stopBesideHalfBody(site: AbusedSite): Promise<number | null> {
  const socket = await HostileSocket.open(site.url, `127.0.0.${FIRST_ADDRESS}`);
  const { head } = postOf('/api/v1/memory/query', site.bad.agent, { contract_version: 1 });
  socket.send(`${head}{"contract`);
  const status = await site.stop();
  socket.leave();
  return status;
}

/** Returns the ids of the events of changes of the installation and of the well-behaved tenant. */
async function changesInLog({ url }: AbusedSite): Promise<string[]> {
  const { administrator } = await logIn({ url, username: 'root', password: PASSWORD });
  const ids: string[] = [];
  const filter = { eventType: 'configuration_changed' } as const;
  for await (const { event_id: id, tenant_id: tenantId } of administrator.audit.query(filter)) {
    if (tenantId !== BAD) ids.push(id);
  }
  return ids;
}
