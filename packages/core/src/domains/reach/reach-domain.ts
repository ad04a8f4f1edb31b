/** Reach: which scopes and subjects a tenant has, and who reaches what. */
import { defineDomain } from '../../upkeep/domain/domain.js';
import { listKnownSubjects } from './list-known-subjects.js';
import { listScopeHolders, listScopes } from './list-scopes.js';
import { previewReach } from './preview-reach.js';

/** These operations by name. */
const reachOperations = {
  listScopes,
  listKnownSubjects,
  listScopeHolders,
  previewReach,
} as const;

/** The domain of reach. It stores nothing of its own. */
export const reach = defineDomain({ families: [], operations: reachOperations });
