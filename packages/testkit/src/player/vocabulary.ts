/**
 * The few names that all tenants of a history use alike.
 */
import type { ScopeInput } from '@agentkeep/core';

/** The version that every document of the platform carries. */
export const VERSION = { contract_version: 1 } as const;

/** The two tenants. */
export const TENANTS = ['tenant-a', 'tenant-b'] as const;

const shared = { project_id: 'p', mission_id: null, agent_id: 'a', visibility: 'shared' } as const;
const ofOne = { ...shared, mission_id: 'm', visibility: 'private' } as const;

/** Scopes of learning, tools and experiences. */
export const SCOPES: readonly ScopeInput[] = [shared, ofOne];

/** Scopes that are granted; memory uses them all. */
export const GRANTED: readonly ScopeInput[] = [
  ...SCOPES,
  { ...ofOne, mission_id: null },
  { ...shared, mission_id: 'm' },
  { ...shared, project_id: 'p m' },
];

/** Names of people. */
export const USERNAMES = ['ann', 'bob', 'cy', 'dee'] as const;

/** Passwords that the rule accepts. */
export const PASSWORDS = ['Correct-Horse-7', 'Correct-Horse-8'] as const;

/** Ids of entries that are registered once. */
export const IDS = ['one', 'two', 'three'] as const;

/** A well-formed id that no entry has. */
export const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';
