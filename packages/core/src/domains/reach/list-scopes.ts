/** `listScopes`: pages through the scopes of a tenant, with numbers of records. */
import { exampleVersion } from '../../contract/example-values.js';
import { coveredScope, scopeOfParts } from '../../kernel/access/covered-scope.js';
import { branchOf } from '../../kernel/access/namespace.js';
import type { StoredNamespace } from '../../kernel/access/namespace-store.js';
import { directoryOperation } from '../../kernel/operation/directory-operation.js';
import { countRecords } from '../memory/record/count-records.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { filteredPage } from './filtered-page.js';
import { digestAt, digestPositions } from './position.js';
import { type CountedScope, ScopesResponse } from './schema.js';
import {
  namespaceSlices,
  SLICE_ENTRIES,
  type WalkingRequest,
} from '../../kernel/services/tenant-walk.js';

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
