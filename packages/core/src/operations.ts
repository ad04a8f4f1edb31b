/** Every operation of Agentkeep. A new one has a file of its own and is named in a list. */
import { deepFreeze } from './contract/deep-freeze.js';
import { accountOperations } from './operation-lists/account-operations.js';
import { administrationOperations } from './operation-lists/administration-operations.js';
import { branchOperations } from './operation-lists/branch-operations.js';
import { identityOperations } from './operation-lists/identity-operations.js';
import { learningOperations } from './operation-lists/learning-operations.js';
import { memoryOperations } from './operation-lists/memory-operations.js';
import { signInOperations } from './operation-lists/sign-in-operations.js';
import { webhookOperations } from './operation-lists/webhook-operations.js';

/** The operations by name. */
export const operations: typeof identityOperations &
  typeof memoryOperations &
  typeof branchOperations &
  typeof learningOperations &
  typeof accountOperations &
  typeof signInOperations &
  typeof webhookOperations &
  typeof administrationOperations = deepFreeze({
  ...identityOperations,
  ...memoryOperations,
  ...branchOperations,
  ...learningOperations,
  ...accountOperations,
  ...signInOperations,
  ...webhookOperations,
  ...administrationOperations,
});

/** Name of an operation. */
export type OperationName = keyof typeof operations;
