/**
 * What the benchmark on PostgreSQL and its workers say to one another.
 * @module
 */

/** What a worker begins with. */
export interface Start {
  /** Its name, which keeps its keys apart from those of the others. */
  readonly name: string;
  readonly url: string;
  /** Of an agent that may do everything in every scope. */
  readonly secret: string;
  /** Connections of its keep, and again of its bare SQL. */
  readonly connections: number;
}

/** Work for a worker; it is timed from the first call to the last answer. */
export interface Job {
  readonly kind: 'commands' | 'reads' | 'bare commands' | 'bare reads';
  readonly callers: number;
  readonly total: number;
  /** Scopes that the commands go round. */
  readonly scopes: number;
}

/** What a worker says when it has started, or a job is done. */
export type Done = { readonly ms: number } | { readonly failure: string };
