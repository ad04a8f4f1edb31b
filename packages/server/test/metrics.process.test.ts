/** `agentkeep serve` with metrics on a port of their own, as operators run it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerProcess } from '@agentkeep/testkit/server-process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { samplesOf, valueOf } from '@agentkeep/contract-cases/exposition';

const TOKEN = 'metrics-of-a-process';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentkeep-metrics-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** Runs a server to its end. Returns the line that says where it listens. */
async function served(
  words: readonly string[],
  use: (url: string) => Promise<void>,
): Promise<Record<string, string>> {
  const server = new ServerProcess(join(folder, 'data'), { words });
  try {
    await use(await server.listens());
    expect(await server.stop()).toBe(0);
  } finally {
    await server.kill();
  }
  const { out } = await server.ended;
  const line = out.split('\n').find((each) => each.includes('"listening"')) ?? '{}';
  return JSON.parse(line) as Record<string, string>;
}

async function metricsOf(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  return { status: response.status, text: await response.text() };
}

test('by default there are none', async () => {
  const line = await served([], async (url) => {
    expect((await metricsOf(`${url}/metrics`)).status).toBe(404);
  });
  expect(line).not.toHaveProperty('metrics_url');
});

test('a secret from a file opens them on the main port, with those of the process', async () => {
  const file = join(folder, 'token');
  await writeFile(file, `${TOKEN}\n`, { mode: 0o600 });
  await served(['--metrics-token-file', file], async (url) => {
    expect((await metricsOf(`${url}/metrics`)).status).toBe(401);
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const { status, text } = await metricsOf(`${url}/metrics`, headers);
    expect(status).toBe(200);
    const samples = samplesOf(text);
    expect(valueOf(samples, 'agentkeep_ready')).toBe(1);
    // PLT-35
    expect(valueOf(samples, 'process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(valueOf(samples, 'nodejs_eventloop_lag_p99_seconds')).toBeDefined();
  });
});

test('a port of their own has metrics and probes, and the main one has none', async () => {
  const words = ['--metrics-port', '0'];
  const data = join(folder, 'data');
  const server = new ServerProcess(data, { words });
  try {
    const url = await server.listens();
    const metricsUrl = await server.logged(/"metrics_url":"([^"]+)"/);
    expect((await metricsOf(`${url}/metrics`)).status).toBe(404);
    expect((await metricsOf(`${url}/health`)).status).toBe(200);
    const { status, text } = await metricsOf(metricsUrl);
    expect(status).toBe(200);
    const requests = { operation: 'getHealth', status: '2xx' };
    expect(valueOf(samplesOf(text), 'agentkeep_requests_total', requests)).toBe(1);
    expect((await metricsOf(new URL('/readyz', metricsUrl).href)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    await expect(fetch(metricsUrl)).rejects.toThrow();
  } finally {
    await server.kill();
  }
});
