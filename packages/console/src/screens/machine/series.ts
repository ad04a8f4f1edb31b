/** The lines that samples make. */
import type { ChartPoint } from '../../parts/chart-scale.js';
import { durationBetween } from './metrics-text.js';
import type { Sample } from './samples.js';

/** Returns a number of each sample. */
export function levels(
  samples: readonly Sample[],
  of: (sample: Sample) => number | undefined,
): readonly ChartPoint[] {
  return samples.map((sample) => ({ atMs: sample.atMs, value: of(sample) }));
}

/** Returns how fast a count grew between samples, by second. One that began anew leaves a gap. */
export function rates(
  samples: readonly Sample[],
  of: (sample: Sample) => number | undefined,
): readonly ChartPoint[] {
  return between(samples, (before, after) => {
    const [from, to] = [of(before), of(after)];
    const seconds = (after.atMs - before.atMs) / 1_000;
    if (from === undefined || to === undefined || to < from || seconds <= 0) return undefined;
    return (to - from) / seconds;
  });
}

/** Returns within which time a part of the requests between samples was answered. */
export function durations(samples: readonly Sample[], part: number): readonly ChartPoint[] {
  return between(samples, ({ readings: before }, { readings: after }) =>
    before === undefined || after === undefined
      ? undefined
      : durationBetween({ before, after }, part),
  );
}

function between(
  samples: readonly Sample[],
  of: (before: Sample, after: Sample) => number | undefined,
): readonly ChartPoint[] {
  return samples.map((sample, at) => {
    const before = samples[at - 1];
    const value = before === undefined ? undefined : of(before, sample);
    return { atMs: sample.atMs, value };
  });
}
