/**
 * The alerts that are shipped: Prometheus and Alertmanager fire each of them when its fault happens
 * to a server, and none before. A minute of the rules is 600 ms here; thresholds are as shipped.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@agentkeep/testkit/eventually';
import { expect, test } from 'vitest';
import { wherePossible } from '../where-possible.js';
import { type FaultyServer, FaultyServers } from './faulty-servers.js';
import {
  Monitoring,
  monitoringPrograms,
  type SentAlert,
  shortened,
  watchFolder,
} from './monitoring.js';

const run = promisify(execFile);
const page = join(import.meta.dirname, '../../../../docs/jobs/watch-a-server.md');

/** The fault that fires each alert. The page for operators has the same table. */
const faults: Readonly<Record<string, string>> = {
  AgentkeepFailuresFast: 'the target of acknowledged replication is away',
  AgentkeepFailuresSlow: 'the target of acknowledged replication is away',
  AgentkeepFailuresLong: 'the target of acknowledged replication is away',
  AgentkeepSlowFast: 'a flush takes 2.5 s, with 600 callers',
  AgentkeepNotReady: 'a server is killed',
  AgentkeepCommitsFail: 'a flush fails',
  AgentkeepQueueGrows: 'a flush takes 2.5 s, with 600 callers',
  AgentkeepLoopBlocked: 'a flush takes 0.7 s, with one caller',
  AgentkeepRestarts: 'values of a process that starts again before each scrape',
  AgentkeepSnapshotOld: 'a store whose snapshot was made 60 hours ago',
  AgentkeepConsumerBehind: 'a store whose consumer lacks a change of 60 hours ago',
  AgentkeepWebhooksWait: 'a receiver answers 500',
  AgentkeepReplicaBehind: 'a target that is away lacks commits of 60 hours ago',
  AgentkeepModelFails: 'the thread of the model ends at its start',
};

const rulesText = (): Promise<string> => readFile(join(watchFolder, 'rules.yaml'), 'utf8');

test('the table of the page has each alert with its fault', async () => {
  const alerts = (await rulesText()).matchAll(/^ +- alert: (\w+)$/gmu);
  expect(Array.from(alerts, ([, name]) => name).sort()).toEqual(Object.keys(faults).sort());
  const rows = (await readFile(page, 'utf8')).matchAll(
    /^\| +`(Agentkeep\w+)` +\|.*\| (\S.*\S) +\|$/gmu,
  );
  expect(Object.fromEntries(Array.from(rows, ([, name, fault]) => [name, fault]))).toEqual(faults);
});

test('only durations become shorter', async () => {
  const rules = await rulesText();
  expect(shortened('for: 2m [1h] [3d] > 2 * 86400 ratio_rate5m')).toBe(
    'for: 1200ms [36000ms] [2592000ms] > 2 * 86400 ratio_rate5m',
  );
  const other = (text: string): string => text.replaceAll(/(?:for: |\[)\d+(?:ms|[mhd])\b/gu, '');
  expect(other(shortened(rules))).toBe(other(rules));
});

test('promtool finds the rules right, and their tests hold', async (context) => {
  const { promtool } = await wherePossible(context, () => Promise.resolve(monitoringPrograms()));
  await run(promtool, ['check', 'rules', join(watchFolder, 'rules.yaml')]);
  await run(promtool, ['test', 'rules', join(watchFolder, 'rules.test.yaml')]);
});

test('each alert arrives when its fault happens, and none in the calm', async (context) => {
  await using monitoring = await wherePossible(context, () => Monitoring.start());
  const home = await mkdtemp(join(tmpdir(), 'agentkeep-alerts-'));
  try {
    await using servers = new FaultyServers(home);
    const [calm, killed, broken, restarting, unacknowledged, slow, blocked, neglected] =
      await Promise.all([
        servers.calm(),
        servers.killed(),
        servers.broken(),
        servers.restarting(),
        servers.unacknowledged(),
        servers.slow(),
        servers.blocked(),
        servers.neglected(),
      ]);
    const whole = [calm, killed, broken, restarting];
    await monitoring.watch(whole);
    // A busy machine disturbs the calm, so it may take several tries.
    await eventually(async () => {
      const scrapes = await monitoring.query('sum_over_time(up[15s])');
      expect(scrapes).toHaveLength(whole.length);
      expect(Math.min(...scrapes.map(({ value }) => value))).toBeGreaterThanOrEqual(10);
      // Neither one that fires nor one that waits to.
      expect(await monitoring.query('count_over_time(ALERTS[15s])')).toEqual([]);
      const [slowRequests] = await monitoring.query('agentkeep:slow_requests:ratio_rate5m');
      expect(slowRequests?.value).toBe(0);
    });
    expect(namesOf(monitoring.fired)).toEqual([]);

    const patient = { ...blocked, isPatient: true };
    await monitoring.watch([...whole, unacknowledged, slow, patient, neglected]);
    for (const { fail } of [...whole, slow, blocked]) await fail();
    await eventually(() => {
      const names = new Set(monitoring.fired.map(({ labels }) => labels['alertname']));
      expect([...names].sort()).toEqual(Object.keys(faults).sort());
    });
    const places: Readonly<Record<string, FaultyServer>> = {
      AgentkeepNotReady: killed,
      AgentkeepCommitsFail: broken,
      AgentkeepQueueGrows: slow,
      AgentkeepLoopBlocked: blocked,
      AgentkeepRestarts: restarting,
      AgentkeepSnapshotOld: neglected,
      AgentkeepReplicaBehind: neglected,
      AgentkeepModelFails: neglected,
    };
    for (const [alertname, { address: instance }] of Object.entries(places)) {
      const labels = expect.objectContaining({ alertname, instance }) as object;
      expect(monitoring.fired).toContainEqual(expect.objectContaining({ labels }));
    }
    const ofCalm = monitoring.fired.filter(({ labels }) => labels['instance'] === calm.address);
    expect(namesOf(ofCalm)).toEqual([]);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

/** On a busy machine, a server may miss a scrape, and its loop may wait for a processor. */
const ofBusyMachines = ['AgentkeepNotReady', 'AgentkeepLoopBlocked'];

/** The names of alerts, without those of a busy machine. */
function namesOf(alerts: readonly SentAlert[]): string[] {
  const names = new Set(alerts.map(({ labels }) => labels['alertname'] ?? ''));
  return [...names].filter((name) => !ofBusyMachines.includes(name));
}
