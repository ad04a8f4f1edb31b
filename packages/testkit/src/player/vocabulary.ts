/**
 * The few names that all tenants of a history use alike.
 */
import type { ScopeInput } from '@agentkeep/core';

/** The version that every document of the platform carries. */
export const VERSION = { contract_version: 1 } as const;

/** Both tenants; all else has the same names in both. */
export const TENANTS = ['tenant-a', 'tenant-b'] as const;

/** Where agents act. */
export const SCOPES: readonly ScopeInput[] = [
  { project_id: 'p', mission_id: null, agent_id: 'a', visibility: 'shared' },
  { project_id: 'p', mission_id: 'm', agent_id: 'a', visibility: 'private' },
];

/** Names of people. */
export const USERNAMES = ['ann', 'bob', 'cy', 'dee'] as const;

/** Passwords that follow the rule. */
export const PASSWORDS = ['Correct-Horse-7', 'Correct-Horse-8'] as const;

/** Ids of what is registered once. */
export const IDS = ['one', 'two', 'three'] as const;

/** Well-formed, and never made. */
export const NOBODY = '01900000-0000-7000-8000-000000000000';
