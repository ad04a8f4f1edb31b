/** The operations that list scopes, and who holds rights in one. */
import { exampleVersion, inExampleScope } from '../../contract/example-values.js';
import { isUuid } from '../../contract/schema/uuid.js';
import { coveredScope, scopeOfParts } from '../../kernel/access/covered-scope.js';
import { branchOf, type StoredNamespace } from '../../kernel/access/namespace.js';
import {
  defineTenantOperation,
  directoryOperation,
} from '../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../kernel/operation/orders-of-checks.js';
import {
  namespaceSlices,
  SLICE_ENTRIES,
  type WalkingRequest,
} from '../../kernel/services/sweeper.js';
import { countRecords } from '../memory/record/count-records.js';
import { isLive } from '../tenancy/credential/credential-policy.js';
import { credentialSlices } from '../tenancy/credential/credential-slices.js';
import { findLimits } from '../tenancy/delegation/subject-store.js';
import { digestAt, digestPositions, filteredPage } from './filtered-page.js';
import { holderOf } from './preview-reach.js';
import { type CountedScope, HoldersRequest, HoldersResponse, ScopesResponse } from './schema.js';

/** Counted records after which a page ends. Its last scope is counted to the end. */
const COUNTED_MAX = 100_000;

/**
 * Counts in slices, so a page shows no state of one moment. The order is that of digests.
 * Administrators see every scope, others those that their credential covers.
 */
export const listScopes = defineTenantOperation({
  ...directoryOperation,
  name: 'listScopes',
  summary: 'List the scopes that the caller may see, with counts and the time of the last change.',
  example: { parameters: exampleVersion },
  command: {
    name: 'access scopes',
    columns: ['scope', 'subject_id', 'records', 'deleted_records', 'last_change_at_millis'],
  },
  tag: 'Access',
  output: ScopesResponse,
  requires: { capability: ['credential_admin', 'memory_read'] },
  handler: (request) => {
    const { credential } = request;
    const { tenantId, spec } = credential;
    const seesAll = spec.capabilities.includes('credential_admin');
    const { limit, cursor } = request.input.parameters;
    let counted = 0;
    return filteredPage(cursor, {
      ...{ name: 'scopes', tenantId, limit },
      ...digestPositions,
      slices: (after) => namespaceSlices(request, tenantId, digestAt(after)),
      show: async (namespace: StoredNamespace) => {
        if (branchOf(namespace.parts) !== undefined) return undefined;
        if (!seesAll && coveredScope(credential, namespace.parts) === undefined) return undefined;
        const shown = await countedScope(request, tenantId, namespace);
        counted += shown.records + shown.deleted_records;
        return shown;
      },
      isEnough: () => counted >= COUNTED_MAX,
    });
  },
});

async function countedScope(
  request: WalkingRequest,
  tenantId: string,
  { digest, parts }: StoredNamespace,
): Promise<CountedScope> {
  let [records, deleted, lastMillis] = [0, 0, 0];
  let after: string | undefined;
  do {
    const span = { after, limit: SLICE_ENTRIES };
    const part = await request.runtime.store.read((tx) =>
      countRecords(tx, { tenantId, digest }, span),
    );
    records += part.records;
    deleted += part.deleted;
    lastMillis = Math.max(lastMillis, part.modifiedAtMillis);
    after = part.next;
    if (after !== undefined) await request.turn();
  } while (after !== undefined);
  return {
    scope: scopeOfParts(parts),
    subject_id: parts[4],
    records,
    deleted_records: deleted,
    last_change_at_millis: records + deleted === 0 ? null : lastMillis,
  };
}

/** Accounts and programs reach it through the credentials that they act with. */
export const listScopeHolders = defineTenantOperation({
  name: 'listScopeHolders',
  summary: 'List the live credentials that can reach a scope.',
  example: { document: inExampleScope },
  command: {
    name: 'access holders',
    examples: [
      'agentkeep access holders --project-id demo --agent-id assistant --visibility shared',
    ],
  },
  tag: 'Access',
  effect: 'read',
  input: { document: HoldersRequest },
  output: HoldersResponse,
  requires: { capability: 'credential_admin' },
  checks: authorityFirstChecks,
  errors: [],
  isHeavy: true,
  handler: async (request) => {
    const { credential, nowMs } = request;
    const { tenantId } = credential;
    const { scope, subject_id: subjectId, limit, cursor } = request.input.document;
    const limits =
      subjectId === null
        ? undefined
        : await request.runtime.store.read((tx) => findLimits(tx, tenantId, subjectId));
    return filteredPage(cursor, {
      ...{ name: 'scope-holders', tenantId, limit },
      slices: (after) => credentialSlices(request, tenantId, after),
      positionOf: ({ id }) => id,
      isPosition: isUuid,
      show: (each) =>
        isLive(each, nowMs) ? holderOf(each, { scope, subjectId, limits }) : undefined,
    });
  },
});
