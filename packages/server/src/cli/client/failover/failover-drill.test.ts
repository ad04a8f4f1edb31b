/** The measurements of a failover drill, over servers and a time of its own. */
import { expect, test } from 'vitest';
import { drillFailover, type DrillPorts, TICK_MS } from './failover-drill.js';

interface Outage {
  readonly url: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Servers that refuse writes during their outages; each write takes 5 ms. */
function servers(outages: readonly Outage[], interruptedAtMs = Infinity) {
  let nowMs = 0;
  const written: string[] = [];
  const isUp = (url: string) =>
    !outages.some((each) => each.url === url && nowMs >= each.fromMs && nowMs < each.untilMs);
  const ports: DrillPorts = {
    urls: ['one', 'two'],
    write: async (url, number) => {
      if (!isUp(url)) return 'server_unreachable';
      nowMs += 5;
      written.push(`${number}@${url}`);
      return undefined;
    },
    isReady: async (url) => isUp(url),
    nowMs: () => nowMs,
    pause: async (ms) => {
      nowMs += ms;
    },
    isInterrupted: () => nowMs >= interruptedAtMs,
  };
  return { ports, written };
}

test('a server that stops costs one more try, and its time is stated', async () => {
  const { ports, written } = servers([{ url: 'two', fromMs: 1_000, untilMs: 3_000 }]);
  const measured = await drillFailover(ports, 60_000);
  expect(measured).toMatchObject({ hasFailed: true, isOver: true, isLastOpen: false });
  expect(measured.longestWaitMs).toBe(5);
  expect(measured.repeated).toBe(measured.refusals.server_unreachable);
  expect(measured.repeated).toBeGreaterThan(2);
  expect(measured.notReadyMs.one).toBe(0);
  expect(Math.abs((measured.notReadyMs.two ?? 0) - 2_000)).toBeLessThanOrEqual(2 * TICK_MS);
  // Each number once, in order, whichever server took it.
  const numbers = written.map((each) => Number(each.split('@')[0]));
  expect(numbers).toEqual(Array.from({ length: measured.acknowledged }, (_, at) => at + 1));
});

test('a database that fails over under all servers is the wait of one write', async () => {
  const { ports } = servers(['one', 'two'].map((url) => ({ url, fromMs: 1_000, untilMs: 5_000 })));
  const { longestWaitMs, repeated, isOver } = await drillFailover(ports, 60_000);
  expect(Math.abs(longestWaitMs - 4_000)).toBeLessThanOrEqual(2 * TICK_MS);
  expect({ repeated, isOver }).toEqual({ repeated: 1, isOver: true });
});

test('nothing that fails is told from a failure, after all of the time', async () => {
  const { ports } = servers([]);
  const measured = await drillFailover(ports, 10_000);
  expect(measured).toMatchObject({ hasFailed: false, isOver: false, repeated: 0, refusals: {} });
  expect(ports.nowMs()).toBeGreaterThanOrEqual(10_000);
});

test('a failure that does not end is reported with the open write', async () => {
  const outages = ['one', 'two'].map((url) => ({ url, fromMs: 1_000, untilMs: Infinity }));
  const { ports } = servers(outages, 8_000);
  const measured = await drillFailover(ports, 60_000);
  expect(measured).toMatchObject({ isOver: false, isLastOpen: true, repeated: 0 });
  expect(measured.longestWaitMs).toBeGreaterThanOrEqual(6_800);
  expect(measured.notReadyMs.one).toBeGreaterThanOrEqual(6_800);
  expect(ports.nowMs()).toBeLessThan(9_000);
});
