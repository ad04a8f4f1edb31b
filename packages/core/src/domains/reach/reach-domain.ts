/** Reach: which scopes and subjects a tenant has, and who reaches what. */
import { defineDomain } from '../../upkeep/domain/domain.js';
import * as listKnownSubjects from './list-known-subjects.js';
import * as listScopes from './list-scopes.js';
import * as previewReach from './preview-reach.js';

/** The domain of reach. It stores nothing of its own. */
export const reach = defineDomain({ modules: [listKnownSubjects, listScopes, previewReach] });
