/** Measures a keep and its requests with the registered meter provider of OpenTelemetry. */
import { CONTRACT_DOCUMENT_VERSION, type Keep } from '@agentkeep/core';
import type * as OpenTelemetry from '@opentelemetry/api';
import type { Meter, MeterProvider } from '@opentelemetry/api';
import { type KeepReadings, keepReadings } from '../metrics/keep-readings.js';
import type { MeasuredRequest, RunningMeter } from '../metrics/metrics.js';
import { observeReadings } from './observed-readings.js';
import { type RequestInstruments, requestInstruments } from './request-instruments.js';

type Api = Pick<typeof OpenTelemetry, 'createNoopMeter' | 'diag' | 'metrics'>;

/** Instruments of one provider. */
interface Instruments {
  readonly requests: RequestInstruments;
  /** Ends the readings of the keep. */
  readonly stop: () => void;
}

/**
 * Follows the registered meter provider: one that is registered later measures from the next
 * request on. A fault of a provider is reported to the diagnostics of OpenTelemetry, and never to a
 * caller.
 */
export class ProvidedMeter implements RunningMeter {
  readonly #api: Api;
  readonly #scope: string;
  readonly #readings: KeepReadings;
  /** Requests that are not answered, by method. Counted always, since a provider may come later. */
  readonly #active = new Map<string, number>();
  #provider: MeterProvider | undefined;
  #instruments: Instruments | undefined;
  #isStopped = false;

  constructor(api: Api, scope: string, keep: Keep) {
    this.#api = api;
    this.#scope = scope;
    this.#readings = keepReadings(keep);
    this.#follow();
  }

  /** Counts a request that is not answered yet. */
  began(method: string): void {
    this.#active.set(method, (this.#active.get(method) ?? 0) + 1);
  }

  /** Records a request. */
  answered(request: MeasuredRequest): void {
    this.#active.set(request.method, (this.#active.get(request.method) ?? 1) - 1);
    this.#follow();
    const instruments = this.#instruments;
    if (instruments === undefined) return;
    this.#ignoringErrors(() => {
      instruments.requests.record(request);
    });
  }

  /** Removes the readings of the keep; requests are not recorded any more. */
  stop(): void {
    this.#isStopped = true;
    this.#detach();
  }

  /** Makes instruments when another provider is registered than before. */
  #follow(): void {
    const provider = this.#api.metrics.getMeterProvider();
    if (provider === this.#provider || this.#isStopped) return;
    this.#provider = provider;
    this.#detach();
    this.#ignoringErrors(() => {
      const meter = provider.getMeter(this.#scope, CONTRACT_DOCUMENT_VERSION);
      // What stands in for a provider has this meter only.
      if (meter !== this.#api.createNoopMeter()) this.#attach(meter);
    });
  }

  #attach(meter: Meter): void {
    const stop = observeReadings(meter, this.#readings.list, {
      active: this.#active,
      hasEnded: this.#readings.hasEnded,
    });
    this.#instruments = { requests: requestInstruments(meter), stop };
  }

  #detach(): void {
    const instruments = this.#instruments;
    this.#instruments = undefined;
    if (instruments !== undefined) this.#ignoringErrors(instruments.stop);
  }

  #ignoringErrors(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#api.diag.error('Agentkeep could not use the registered meter provider.', error);
    }
  }
}
