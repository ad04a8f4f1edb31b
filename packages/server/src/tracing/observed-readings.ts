/** Readings of a keep as observable instruments, which are read only when they are collected. */
import type { Attributes, Meter, Observable, ObservableCallback } from '@opentelemetry/api';
import type { Reading } from '../metrics/reading.js';

/** What is observed beside the readings. */
export interface Observed {
  /** Requests that are not answered, by method. */
  readonly active: ReadonlyMap<string, number>;
  /** Whether the keep closes, so that nothing is read any more. */
  readonly hasEnded: () => boolean;
}

/** Registers the readings with a meter. Returns what removes them. */
export function observeReadings(
  meter: Meter,
  readings: readonly Reading[],
  { active, hasEnded }: Observed,
): () => void {
  const ends: (() => void)[] = [];
  const stop = (): void => {
    for (const end of ends.splice(0)) end();
  };
  const observe = (observable: Observable, callback: ObservableCallback): void => {
    const guarded: ObservableCallback = async (result) => {
      if (hasEnded()) stop();
      else await callback(result);
    };
    observable.addCallback(guarded);
    ends.push(() => {
      observable.removeCallback(guarded);
    });
  };
  const requests = meter.createObservableUpDownCounter('http.server.active_requests', {
    unit: '{request}',
    description: 'Requests that are not answered yet.',
  });
  observe(requests, (result) => {
    for (const [method, count] of active) result.observe(count, activeAttributes(method));
  });
  for (const reading of readings) {
    observe(instrumentOf(meter, reading), async (result) => {
      for (const { value, label } of await reading.samples()) {
        result.observe(value, labelOf(reading, label));
      }
    });
  }
  return stop;
}

function instrumentOf(meter: Meter, { instrument, kind, unit, help }: Reading): Observable {
  const options = { unit, description: help };
  if (kind === 'total') return meter.createObservableCounter(instrument, options);
  return kind === 'amount'
    ? meter.createObservableUpDownCounter(instrument, options)
    : meter.createObservableGauge(instrument, options);
}

function activeAttributes(method: string): Attributes {
  return { 'http.request.method': method, 'url.scheme': 'http' };
}

function labelOf({ label }: Reading, value: string | undefined): Attributes {
  return label === undefined || value === undefined ? {} : { [label.attribute]: value };
}
