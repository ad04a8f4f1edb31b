/** Operations on who reaches what. */
import { listKnownSubjects } from './list-known-subjects.js';
import { listScopeHolders } from './list-scope-holders.js';
import { listScopes } from './list-scopes.js';
import { previewReach } from './preview-reach.js';

/** These operations by name. */
export const reachOperations = {
  listScopes,
  listKnownSubjects,
  listScopeHolders,
  previewReach,
} as const;
