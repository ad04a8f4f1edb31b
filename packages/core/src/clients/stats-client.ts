/**
 * Statistics of the service, as its administrators read them.
 * @module
 */
import type { CallOperation, CallOptions, OutputOf } from './call.js';

/** How much is stored, and how the process does. */
export type ServiceStats = OutputOf<'getStats'>;

/** Reads statistics; needs the role Admin or SuperAdmin in the installation. */
export class StatsClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** The statistics as of now; after a kill, once everything is counted. */
  get(options?: CallOptions): Promise<ServiceStats> {
    return this.#call('getStats', {}, options);
  }
}
