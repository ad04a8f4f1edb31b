/** `createMemoryBranch`: makes a branch over scopes, from now or from a position. */
import { exampleScope, exampleVersion } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import type { ReadTx } from '../../../storage/store/store.js';
import {
  type CountedBranch,
  decideBranch,
  STORED_BRANCHES_MAX,
  WRITING_IN_BRANCHES,
} from '../branch/branch-policy.js';
import {
  branchesAfter,
  holdRevisions,
  type KeyedBranch,
  putBranch,
} from '../branch/branch-store.js';
import { isLive, isOver } from '../branch/live-branch.js';
import { authorOf } from '../documents/author-schema.js';
import { positionAt, type Start } from '../changes/read-changes.js';
import { floorOf } from '../journal/change-store.js';
import { settledPosition } from '../journal/settled-position.js';
import { cursorsOf } from '../journal/change-cursor.js';
import { BranchResponse, NewBranch } from './branch-schema.js';
import { showBranch } from './show-branch.js';

/** Copies nothing, and takes the same time for any number of records. */
export const createMemoryBranch = defineTenantOperation({
  name: 'createMemoryBranch',
  summary: 'Make a branch of memory over 1 to 16 scopes.',
  example: {
    document: {
      ...exampleVersion,
      name: 'trial',
      scopes: [exampleScope],
      expires_in_seconds: 3_600,
    },
  },
  command: {
    name: 'memory create-branch',
    examples: [
      'agentkeep memory create-branch --name trial --scopes ' +
        'project_id=support,agent_id=helper,visibility=private',
    ],
  },
  tag: 'Memory',
  input: { document: NewBranch },
  output: BranchResponse,
  requires: {
    capability: WRITING_IN_BRANCHES,
    scopes: ({ document }) => ({
      all: document.scopes,
      memberOf: (index) => `scopes[${index}]`,
    }),
  },
  checks: inputFirstChecks,
  errors: ['revision_conflict', 'branch_limit', 'position_expired'],
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { name, scopes, as_of, expires_in_seconds: seconds, purpose } = input.document;
    const { tenantId } = credential;
    const cursors = await cursorsOf(runtime, tenantId);
    const start = as_of === null ? 'latest' : cursors.open(as_of.cursor, FOREIGN_CURSOR);
    const position = await positionOf(runtime, tenantId, start);
    const branch: KeyedBranch = {
      id: runtime.newId(),
      name,
      scopes: scopes.map((scope) => namespaceOf(credential, scope).parts),
      position: Buffer.from(position).toString('hex'),
      createdAtMillis: nowMs,
      endsAtMillis: nowMs + seconds * 1_000,
      purpose,
      author: authorOf(credential),
    };
    await runtime.store.transact((tx) => {
      request.confirm(tx);
      const decision = decideBranchIn(tx, tenantId, branch, nowMs);
      if (decision === 'name_taken') throw new AgentkeepError('revision_conflict');
      if (decision === 'too_many') throw new AgentkeepError('branch_limit');
      putBranch(tx, tenantId, branch);
      for (const parts of branch.scopes) holdRevisions(tx, tenantId, parts, branch.endsAtMillis);
    });
    return { contract_version: CONTRACT_VERSION, branch: showBranch(branch, cursors) };
  },
});

const FOREIGN_CURSOR = { path: 'as_of.cursor', expected: 'a cursor of the change feed' };

/** Returns the position of a branch. */
async function positionOf(
  runtime: Pick<Runtime, 'store'>,
  tenantId: string,
  start: Start,
): Promise<Uint8Array> {
  if (start === 'latest') return settledPosition(runtime, tenantId);
  return runtime.store.read((tx) =>
    positionAt(start, floorOf(tx, tenantId), Uint8Array.from(tx.horizon())),
  );
}

/** Decides on another branch beside those of its tenant. */
export function decideBranchIn(
  tx: ReadTx,
  tenantId: string,
  { name, scopes, author }: Pick<KeyedBranch, 'name' | 'scopes' | 'author'>,
  nowMs: number,
): ReturnType<typeof decideBranch> {
  const stored = branchesAfter(tx, tenantId, undefined, STORED_BRANCHES_MAX);
  const live = stored.filter((each) => isLive(each, nowMs));
  const counted = live.map((each): CountedBranch => ({
    name: each.name,
    subjectId: each.author.subject_id,
    over: scopes.flatMap((parts, at) => (isOver(each, parts) ? [at] : [])),
  }));
  const wanted = { name, subjectId: author.subject_id, scopes: scopes.length };
  return decideBranch(counted, { ...wanted, stored: stored.length });
}
