/** What tests and the fuzzer know of one operation beside its statement. */
import type { OperationName } from '@agentkeep/core';
import type { Links } from './link.js';

/** The row of an operation. The links are for the fuzzer: other requests follow their schemas. */
export interface OperationRow extends Links {
  /** Statuses of refusals in the contract; 429 and 500, and 503 of heavy calls, are left out. */
  readonly failures: readonly number[];
  /** Whether its answer delivers a secret. Default: false. */
  readonly givesSecret?: boolean;
  /** Whether contract cases state it in full, and no random history plays it. Default: false. */
  readonly isStatedByCases?: boolean;
}

/** Rows of some operations. */
export type OperationRows = { readonly [N in OperationName]?: OperationRow };
