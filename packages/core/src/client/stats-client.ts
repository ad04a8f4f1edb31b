/** Client of the statistics of the service. */
import type { CallOperation, CallOptions, OutputOf } from './call.js';

/** Numbers of stored entries, and the state of the process. */
export type ServiceStats = OutputOf<'getStats'>;

/** Reads statistics. Needs the role Admin or SuperAdmin in the installation. */
export class StatsClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Returns the statistics of this moment. After a kill, waits until all entries are counted. */
  get(options?: CallOptions): Promise<ServiceStats> {
    return this.#call('getStats', {}, options);
  }
}
