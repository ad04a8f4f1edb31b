/** The alerts and the dashboard ask for metrics that a server has (docs/contract/platform.md). */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Keep, openKeep } from '@agentkeep/core';
import { createSnapshot } from '@agentkeep/core/operator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { dashboard } from '../../../../scripts/watch/dashboard.js';
import { openMetrics } from '../../src/metrics/open-metrics.js';

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly record?: string;
      readonly alert?: string;
      readonly expr: string;
    }[];
  }[];
}

const watch = join(import.meta.dirname, '../../deploy/watch');
const textOf = (name: string): string => readFileSync(join(watch, name), 'utf8');
const rules = (parse(textOf('rules.yaml')) as Rules).groups.flatMap((group) => group.rules);

let folder: string;
let keep: Keep;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agentkeep-watch-'));
  keep = await open();
});
afterAll(async () => {
  await keep.close();
  rmSync(folder, { recursive: true });
});

/** Opens a keep that has all metrics: it is copied, and a model makes embeddings. */
function open(): Promise<Keep> {
  return openKeep({
    dataDir: join(folder, 'data'),
    replicateTo: join(folder, 'target'),
    textEmbedder: { space: 'none', embed: (texts) => Promise.resolve(texts.map(() => [])) },
  });
}

/** Returns the metrics that a text of queries names. */
function namesIn(text: string): Set<string> {
  const found = text.matchAll(/(?<![\w:])(?:agentkeep|nodejs|process)_\w+/gu);
  return new Set(Array.from(found, ([name]) => name.replace(/_(?:bucket|count)$/u, '')));
}

test('PLT-44 shows the time of the newest snapshot, and nothing without one', async () => {
  const fresh = await openMetrics(keep);
  expect(await fresh.text()).not.toMatch(/^agentkeep_snapshot_time_seconds /mu);
  // The answer is reused for a while, so another keep over the directory shows the new one.
  await createSnapshot(keep);
  await keep.close();
  keep = await open();
  const text = await (await openMetrics(keep)).text();
  const [, seconds] = /^agentkeep_snapshot_time_seconds (\S+)$/mu.exec(text) ?? [];
  expect(Math.abs(Number(seconds) - Date.now() / 1_000)).toBeLessThan(600);
});

test('each metric of a rule and of a panel is one of a server', async () => {
  const metrics = await openMetrics(keep, { measuresProcess: true });
  const known = await metrics.text();
  const queries = rules.map(({ expr }) => expr).join('\n');
  const names = [...namesIn(queries), ...namesIn(JSON.stringify(dashboard()))];
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(known, name).toContain(`# TYPE ${name} `);
});

test('each alert says what to do, and has a test', () => {
  const tests = textOf('rules.test.yaml');
  const alerts = rules.flatMap(({ alert }) => (alert === undefined ? [] : [alert]));
  expect(alerts).toHaveLength(14);
  for (const alert of alerts) expect(tests).toMatch(new RegExp(`\\b${alert}\\b`, 'u'));
});

test('no panel and no rule asks for a tenant', () => {
  expect(`${JSON.stringify(dashboard())} ${textOf('rules.yaml')}`).not.toMatch(/[({,]tenant/u);
});
