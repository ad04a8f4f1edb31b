/**
 * Checks responses against the contract of this server.
 */
import { ContractCheck } from '@agentkeep/testkit/contract-check';
import { contractDocument } from '@agentkeep/server';

/** The check of the published contract. */
export const contractCheck = new ContractCheck(contractDocument);
