/**
 * The rules of histories.
 */
import { apiKeyRules } from './areas/api-keys.js';
import { credentialRules } from './areas/credentials.js';
import { accessRules } from './areas/access.js';
import { delegationRules } from './areas/delegation.js';
import { experienceRules } from './areas/learning/experiences.js';
import { installationRules } from './areas/installation.js';
import { federationRules } from './areas/federation.js';
import { keyRules } from './areas/keys.js';
import { learningListRules } from './areas/learning/lists.js';
import { learningRules } from './areas/learning/learning.js';
import { lockoutRules } from './areas/lockouts.js';
import { loginAccountRules } from './areas/login-accounts.js';
import { loginRules } from './areas/logins.js';
import { memoryCommandRules } from './areas/memory.js';
import { memoryBatchRules } from './areas/memory-batches.js';
import { memoryBranchRules } from './areas/memory-branches.js';
import { memoryProposalRules } from './areas/memory-proposals.js';
import { memoryConsumerRules } from './areas/memory-consumers.js';
import { memoryChangeRules } from './areas/memory-changes.js';
import { memoryExportRules } from './areas/memory-exports.js';
import { memoryHistoryRules } from './areas/memory-histories.js';
import { memoryLineageRules } from './areas/memory-lineage.js';
import { memoryReadRules } from './areas/memory-reads.js';
import { memorySearchRules } from './areas/memory-searches.js';
import { oversightRules } from './areas/oversight.js';
import { signInRules } from './areas/sign-ins.js';
import { timeRules } from './areas/time.js';
import { toolRules } from './areas/learning/tools.js';
import { userSessionRules } from './areas/user-sessions.js';
import { userRules } from './areas/users.js';
import type { Rule } from './rule.js';

/** The rules of memory: commands most of all, reads, the credentials behind them, and time. */
export const memoryRules: readonly Rule[] = [
  ...[...memoryCommandRules, ...memoryBatchRules].map((rule) => ({
    ...rule,
    weight: 4 * rule.weight,
  })),
  ...memoryChangeRules,
  ...memoryBranchRules,
  ...memoryProposalRules,
  ...memoryConsumerRules,
  ...memoryReadRules,
  ...memoryExportRules,
  ...memoryHistoryRules,
  ...memoryLineageRules,
  ...memorySearchRules,
  ...credentialRules,
  ...delegationRules,
  ...accessRules,
  ...timeRules,
];

/** Rules for the end of a history, in this order: everything is asked for again. */
export const closingRules = [
  'the keep is opened again',
  'repeat every command',
  'repeat every batch',
  'look at all memory',
  'the keep is opened again',
  'compare counts',
];

/**
 * All rules. To model another operation, add its rule to its area. Operations that contract cases
 * state in full have none: their rows say so.
 */
export const rules: readonly Rule[] = [
  ...credentialRules,
  ...keyRules,
  ...federationRules,
  ...delegationRules,
  ...accessRules,
  ...memoryCommandRules,
  ...memoryBatchRules,
  ...memoryChangeRules,
  ...memoryBranchRules,
  ...memoryProposalRules,
  ...memoryConsumerRules,
  ...memoryReadRules,
  ...memoryExportRules,
  ...memoryHistoryRules,
  ...memoryLineageRules,
  ...memorySearchRules,
  ...installationRules,
  ...userRules,
  ...loginAccountRules,
  ...loginRules,
  ...signInRules,
  ...lockoutRules,
  ...apiKeyRules,
  ...userSessionRules,
  ...learningRules,
  ...learningListRules,
  ...toolRules,
  ...experienceRules,
  ...oversightRules,
  ...timeRules,
];
