/** `listMemoryChanges`: pages through the committed changes that the caller may read. */
import { exampleScope, exampleVersion } from '../../../contract/example-values.js';
import { type Namespace, namespaceOf } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { MemoryScope } from '../../../kernel/access/scope.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { type ChangePage, ChangeParameters, ChangesResponse } from './schema.js';
import { awaitChanges, placeOf } from './await-changes.js';
import { type ChangeCursors, cursorsOf, FOREIGN_AFTER } from '../journal/change-cursor.js';
import { shownProposalChange } from './visible-changes.js';
import { type Found, isEmpty, readChanges, type Start } from './read-changes.js';

/** Not a snapshot: each slice shows what is committed then, to who may read it then. */
export const listMemoryChanges = defineTenantOperation({
  name: 'listMemoryChanges',
  summary: 'Page through the committed changes that the caller may read, or wait for one.',
  example: { parameters: { ...exampleVersion, ...exampleScope } },
  tag: 'Memory',
  effect: 'read',
  input: { parameters: ChangeParameters },
  output: ChangesResponse,
  requires: {
    capability: 'memory_read',
    scope: ({ parameters }) => wholeScope(parameters),
  },
  checks: inputFirstChecks,
  errors: ['branch_not_found', 'position_expired', 'too_many_waits'],
  isHeavy: true,
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const { after, limit, wait_millis: waitMs, proposals } = input.parameters;
    const wanted = wantedNamespace(credential, input.parameters);
    const query = { limit, wanted, hasProposals: proposals === 'include' };
    const cursors = await cursorsOf(runtime, credential.tenantId);
    const { heldWait } = request.waiting;
    if (heldWait !== undefined && heldWait.slot === undefined) placeOf(request);
    let found = await readChanges(request, startOf(after, cursors), query);
    if (waitMs > 0 && isEmpty(found))
      found = await awaitChanges(request, found.next, query, waitMs);
    return { contract_version: CONTRACT_VERSION, page: shownPage(found, cursors) };
  },
});

function startOf(after: string | undefined, cursors: ChangeCursors): Start {
  if (after === undefined) return 'oldest';
  return after === 'latest' ? 'latest' : cursors.open(after, FOREIGN_AFTER);
}

/** Returns the scope that the parameters name, or `undefined` where a member is missing. */
function wholeScope(parameters: ChangeParameters): MemoryScope | undefined {
  const { project_id, mission_id = null, agent_id, visibility, branch } = parameters;
  if (project_id === undefined || agent_id === undefined || visibility === undefined) {
    return undefined;
  }
  const scope = { project_id, mission_id, agent_id, visibility };
  return branch === undefined ? scope : { ...scope, branch };
}

/**
 * Returns the namespace that the parameters name, if they name one.
 *
 * @throws {AgentkeepError} `invalid_request` for a part of a scope.
 */
function wantedNamespace(
  credential: ActingCredential,
  parameters: ChangeParameters,
): Namespace | undefined {
  const scope = wholeScope(parameters);
  if (scope !== undefined) return namespaceOf(credential, scope);
  const members = ['project_id', 'agent_id', 'visibility'] as const;
  const isGiven = (['mission_id', 'branch', ...members] as const).some(
    (name) => parameters[name] !== undefined,
  );
  if (!isGiven) return undefined;
  const missing = members.filter((name) => parameters[name] === undefined);
  throw new AgentkeepError('invalid_request', {
    members: missing.map((path) => ({ path, expected: 'present with the rest of the scope' })),
  });
}

/** Shows a page of changes. */
export function shownPage(
  { changes, proposals, next, hasMore }: Found,
  cursors: ChangeCursors,
): ChangePage {
  return {
    changes: changes.map(({ after, scope, recordId, revision, action, committedAtMillis }) => ({
      cursor: cursors.seal(after),
      scope,
      record_id: recordId,
      revision,
      action,
      committed_at_millis: committedAtMillis,
    })),
    ...(proposals === undefined
      ? {}
      : {
          proposals: proposals.map((each) => ({
            cursor: cursors.seal(each.after),
            ...shownProposalChange(each),
          })),
        }),
    next_after: cursors.seal(next),
    has_more: hasMore,
  };
}
