/** `listMemoryProposals`: pages through the proposals of a state that the caller may read. */
import { exampleVersion } from '../../../contract/example-values.js';
import type * as v from 'valibot';
import { scopeOfParts } from '../../../kernel/access/covered-scope.js';
import { isSameScope } from '../../../kernel/access/grant-policy.js';
import type { Scope } from '../../../kernel/access/scope.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { isUuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { decodeCursor, encodeCursor, staleCursor } from '../../../kernel/lists/cursor.js';
import { directoryPage } from '../../../kernel/lists/page.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { ReadTx } from '../../../storage/store/store.js';
import {
  findProposal,
  isKept,
  type KeyedProposal,
  orderedAt,
  proposalsAfter,
  type ProposalPlace,
} from '../branch/proposal-store.js';
import { showProposal } from '../branch/show-proposal.js';
import type { ProposalState } from '../documents/proposal-schema.js';
import { ProposalsParameters, ProposalsResponse } from './proposal-documents.js';
import { isCovered } from './manage-branches.js';

/** Proposals that one transaction looks at. */
const LOOKED_AT_ONCE = 64;

/** The oldest ones first: by when they were proposed, decided ones by when that was. */
export const listMemoryProposals = defineTenantOperation({
  name: 'listMemoryProposals',
  summary: 'List the proposals of memory that wait, or that were merged or rejected.',
  example: { parameters: exampleVersion },
  command: {
    name: 'memory review',
    columns: ['id', 'author.subject_id', 'age_millis', 'purpose', 'reason'],
    examples: ['agentkeep memory review'],
  },
  tag: 'Memory',
  effect: 'read',
  input: { parameters: ProposalsParameters },
  output: ProposalsResponse,
  requires: { capability: 'memory_read' },
  checks: inputFirstChecks,
  isHeavy: true,
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { tenantId } = credential;
    const { state } = input.parameters;
    const wanted = wantedScope(input.parameters);
    const isShown = (each: KeyedProposal): boolean =>
      isCovered(each, credential) &&
      isKept(each, nowMs) &&
      (wanted === undefined ||
        each.scopes.some((parts) => isSameScope(scopeOfParts(parts), wanted)));
    const { limit, cursor, proposal_id: id } = input.parameters;
    if (id !== undefined) {
      const found = await runtime.store.read((tx) => findProposal(tx, tenantId, id));
      const items = found !== undefined && isShown(found) ? [showProposal(found, nowMs)] : [];
      return { contract_version: CONTRACT_VERSION, page: { items, next_cursor: null } };
    }
    const identity = { list: `proposals ${state}`, tenantId };
    let from = cursor === undefined ? undefined : placeIn(decodeCursor(identity, cursor));
    const shown: KeyedProposal[] = [];
    for (;;) {
      const after = from;
      const looked = await runtime.store.read((tx) => lookAfter(tx, tenantId, state, after));
      shown.push(...looked.filter(isShown));
      const last = looked.at(-1);
      if (looked.length < LOOKED_AT_ONCE || last === undefined || shown.length > limit) break;
      from = { atMillis: orderedAt(last), id: last.id };
      await request.turn();
    }
    const page = directoryPage(
      shown.slice(0, limit + 1),
      limit,
      (proposal) => showProposal(proposal, nowMs),
      (last) => encodeCursor(identity, `${orderedAt(last)} ${last.id}`),
    );
    return { contract_version: CONTRACT_VERSION, page };
  },
});

function wantedScope({
  project_id,
  mission_id,
  agent_id,
  visibility,
}: v.InferOutput<typeof ProposalsParameters>): Scope | undefined {
  if (project_id === undefined || agent_id === undefined || visibility === undefined) {
    return undefined;
  }
  return { project_id, mission_id: mission_id ?? null, agent_id, visibility };
}

function placeIn(text: string): ProposalPlace {
  const [millis = '', id = ''] = text.split(' ');
  if (/^\d{1,15}$/.test(millis) && isUuid(id)) return { atMillis: Number(millis), id };
  throw new AgentkeepError('invalid_request', { members: [staleCursor] });
}

function lookAfter(
  tx: ReadTx,
  tenantId: string,
  state: ProposalState,
  after: ProposalPlace | undefined,
): KeyedProposal[] {
  const ids = proposalsAfter(tx, tenantId, state, { after, limit: LOOKED_AT_ONCE });
  return ids.flatMap((id) => findProposal(tx, tenantId, id) ?? []);
}
