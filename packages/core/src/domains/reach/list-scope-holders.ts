/** `listScopeHolders`: pages through the live credentials that can reach a scope. */
import { inExampleScope } from '../../contract/example-values.js';
import { findLimits } from '../tenancy/delegation/subject-store.js';
import { isLive } from '../tenancy/credential/credential-policy.js';
import { isUuid } from '../../contract/schema/uuid.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../kernel/operation/orders-of-checks.js';
import { filteredPage } from './filtered-page.js';
import { holderOf } from './judge-reach.js';
import { HoldersRequest, HoldersResponse } from './schema.js';
import { credentialSlices } from '../tenancy/credential/credential-slices.js';

/** Accounts and programs reach it through the credentials that they act with. */
export const listScopeHolders = defineTenantOperation({
  name: 'listScopeHolders',
  summary: 'List the live credentials that can reach a scope.',
  example: { document: inExampleScope },
  command: {
    name: 'access holders',
    examples: [
      'agentkeep access holders --project-id support --agent-id helper --visibility shared',
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
