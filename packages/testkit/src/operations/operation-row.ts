/** What tests, examples and the fuzzer know of one operation. */
import type { OperationName } from '@agentkeep/core';
import type { PartsOf } from '@agentkeep/core/clients';
import type { Links } from './link.js';

/** A value that stays as it is stated. */
type Stated<T> = T extends object ? { readonly [K in keyof T]: Stated<T[K]> } : T;

/** The row of an operation. The links are for the fuzzer: other requests follow their schemas. */
export interface OperationRow<N extends OperationName> extends Links {
  /** Statuses of refusals in the contract; 429 and 500, and 503 of heavy calls, are left out. */
  readonly failures: readonly number[];
  /** A call without faults. Its document is the example in `openapi.json`. */
  readonly call: Stated<PartsOf<N>>;
  /** Whether its answer delivers a secret. Default: false. */
  readonly givesSecret?: boolean;
}

/** Rows of some operations. */
export type OperationRows = { readonly [N in OperationName]?: OperationRow<N> };
