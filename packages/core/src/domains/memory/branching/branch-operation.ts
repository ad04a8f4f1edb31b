/** Common members of the operations on one branch. */
import { uuid } from '../../../contract/schema/uuid.js';
import { BranchParameters } from './branch-schema.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';

/** The input, checks and errors of an operation that names a branch. */
export const namesBranch = {
  tag: 'Memory',
  input: { id: uuid(), parameters: BranchParameters },
  checks: inputFirstChecks,
  errors: ['branch_not_found'],
} as const;
