/** Messages between the PostgreSQL benchmark and its workers. */

/** The first message to a worker. */
export interface Start {
  /** Separates the worker's keys from those of other workers. */
  readonly name: string;
  readonly url: string;
  /** The secret of an agent with full authority over all scopes. */
  readonly secret: string;
  /** Connections of the keep; bare SQL opens as many. */
  readonly connections: number;
}

/** A task for a worker, timed from the first call to the last response. */
export interface Job {
  readonly kind:
    | 'commands'
    | 'batches'
    | 'reads'
    | 'recalls'
    /** Waits until the audit events so far are stored. */
    | 'stored events'
    | 'bare commands'
    | 'bare reads';
  readonly callers: number;
  readonly total: number;
  /** Scopes to spread the commands over. */
  readonly scopes: number;
}

/** A worker's reply once it has started or finished a job. */
export type Done = { readonly ms: number } | { readonly failure: string };
