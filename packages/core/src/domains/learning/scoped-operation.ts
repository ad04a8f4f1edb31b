/** Members that operations on the documents of a scope share. */
import { scopedChecks } from '../../kernel/operation/orders-of-checks.js';

/** The order of checks (docs/contract/learning.md#shared-rules-order-of-checks). */
export const scopedOperation = {
  checks: scopedChecks,
} as const;

/** A read of one document by its ids. */
export const scopedRead = {
  ...scopedOperation,
  effect: 'read',
  errors: ['record_not_found'],
} as const;
