/** What the page measured of the server in the last minutes. It is forgotten with the page. */
import type { Administrator } from '@agentkeep/client';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { administersInstallation, type Caller } from '../../session/caller.js';
import { beginWork } from '../../session/session.js';
import { readMetrics, type Readings } from './metrics-text.js';

const EACH_MS = 5_000;
const KEPT_MS = 15 * 60_000;

/** Statistics of the service. */
export type Stats = Awaited<ReturnType<Administrator['stats']['get']>>;

/** The server at one moment. */
export interface Sample {
  readonly atMs: number;
  /** Whether it answers, and its store does. */
  readonly state: 'ready' | 'not_ready' | 'silent';
  /** How long its probe took, seen from here. */
  readonly answerMs: number | undefined;
  readonly stats: Stats | undefined;
  readonly readings: Readings | undefined;
}

/** The samples, from the oldest to the newest. */
export const samples = signal<readonly Sample[]>([]);

/** The secret of the metrics, once somebody typed it. */
export const metricsSecret = signal<string | undefined>(undefined);

/** Why the last secret of the metrics did not work. */
export const metricsRefusal = signal<'absent' | 'wrong' | undefined>(undefined);

let owner: Caller | undefined;

/** Measures for as long as it is shown. What another caller measured is not kept. */
export function useSamples(caller: Caller): void {
  useEffect(() => {
    if (owner !== caller) {
      owner = caller;
      samples.value = [];
      metricsSecret.value = undefined;
      metricsRefusal.value = undefined;
    }
    let isLeft = false;
    const measure = async (): Promise<void> => {
      if (document.hidden) return;
      const sample = await takeSample(caller);
      if (isLeft) return;
      const oldestMs = sample.atMs - KEPT_MS;
      samples.value = [...samples.value.filter(({ atMs }) => atMs >= oldestMs), sample];
    };
    void measure();
    const timer = setInterval(() => void measure(), EACH_MS);
    return () => {
      isLeft = true;
      clearInterval(timer);
    };
  }, [caller]);
}

async function takeSample(caller: Caller): Promise<Sample> {
  const startMs = performance.now();
  const probe = await fetch('/readyz').catch(() => undefined);
  const answerMs = probe === undefined ? undefined : performance.now() - startMs;
  const state = probe === undefined ? 'silent' : probe.ok ? 'ready' : 'not_ready';
  const [stats, readings] = await Promise.all([takeStats(caller), takeReadings()]);
  return { atMs: Date.now(), state, answerMs, stats, readings };
}

/** The probe tells that the server is in trouble, so a failure here is a gap and no more. */
async function takeStats(caller: Caller): Promise<Stats | undefined> {
  if (!administersInstallation(caller)) return undefined;
  return beginWork()
    .administrator.stats.get()
    .catch(() => undefined);
}

async function takeReadings(): Promise<Readings | undefined> {
  const secret = metricsSecret.value;
  if (secret === undefined) return undefined;
  const headers = { Authorization: `Bearer ${secret}` };
  const answer = await fetch('/metrics', { headers }).catch(() => undefined);
  if (answer === undefined) return undefined;
  if (answer.ok) return readMetrics(await answer.text());
  if (answer.status !== 404 && answer.status !== 401) return undefined;
  metricsRefusal.value = answer.status === 404 ? 'absent' : 'wrong';
  metricsSecret.value = undefined;
  return undefined;
}

/** Tries a secret at once, and goes on with it if it is the right one. */
export async function readWith(secret: string): Promise<void> {
  metricsSecret.value = secret;
  metricsRefusal.value = undefined;
  await takeReadings();
}
