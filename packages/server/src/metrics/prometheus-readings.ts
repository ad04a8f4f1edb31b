/** Readings as Prometheus metrics. */
import type { Counter, Gauge, Registry } from 'prom-client';
import type { Reading } from './reading.js';
import type { Library } from './request-metrics.js';

/** Registers metrics that are read when they are requested. */
export function showReadings(
  library: Library,
  register: Registry,
  readings: readonly Reading[],
): void {
  for (const { name, help, kind, label, samples } of readings) {
    const common = {
      name,
      help,
      labelNames: label === undefined ? [] : [label.name],
      registers: [register],
    };
    const labelsOf = (value = ''): Record<string, string> =>
      label === undefined ? {} : { [label.name]: value };
    if (kind === 'total') {
      new library.Counter({
        ...common,
        async collect(this: Counter) {
          const read = await samples();
          this.reset();
          for (const sample of read) this.inc(labelsOf(sample.label), sample.value);
        },
      });
    } else {
      new library.Gauge({
        ...common,
        async collect(this: Gauge) {
          const read = await samples();
          if (label === undefined) this.remove();
          else this.reset();
          for (const sample of read) this.set(labelsOf(sample.label), sample.value);
        },
      });
    }
  }
}
