/** `createMemoryBranch`: makes a branch over scopes, from now or from a position. */
import { setTimeout } from 'node:timers/promises';
import { namespaceOf } from '../../access/namespace.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { defineTenantOperation } from '../../runtime/operation/define-operation.js';
import type { Runtime } from '../../runtime/services/runtime.js';
import { LAST_POSITION } from '../../storage/store/position.js';
import { type CountedBranch, decideBranch, STORED_BRANCHES_MAX } from '../branch/branch-policy.js';
import {
  branchesAfter,
  holdRevisions,
  type KeyedBranch,
  putBranch,
} from '../branch/branch-store.js';
import { isLive, isOver } from '../branch/live-branch.js';
import { positionAt, type Start } from '../changes/read-changes.js';
import { changesBetween, floorOf } from '../journal/change-store.js';
import { cursorsOf } from '../journal/change-cursor.js';
import { BranchResponse, NewBranch } from './branch-schema.js';
import { showBranch } from './show-branch.js';

/** How often a branch from now looks again for commits that an earlier one holds back. */
const HELD_LOOKS_MAX = 7;
/** The first wait; each further one is twice as long. */
const HELD_MS_MIN = 4;

/** Copies nothing, and takes the same time for any number of records. */
export const createMemoryBranch = defineTenantOperation({
  name: 'createMemoryBranch',
  summary: 'Make a branch of memory over 1 to 16 scopes.',
  tag: 'Memory',
  input: { document: NewBranch },
  output: BranchResponse,
  requires: {
    capability: 'memory_write',
    scopes: ({ document }) => ({
      all: document.scopes,
      memberOf: (index) => `scopes[${index}]`,
    }),
  },
  checks: ['document', 'version', 'rules', 'authority'],
  errors: ['revision_conflict', 'branch_limit', 'position_expired'],
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { name, scopes, as_of, expires_in_seconds: seconds, purpose } = input.document;
    const { tenantId, spec } = credential;
    const cursors = await cursorsOf(runtime, credential.tenantId);
    const start = as_of === null ? 'latest' : cursors.open(as_of.cursor, FOREIGN_CURSOR);
    const position = await positionOf(runtime, tenantId, start);
    const branch: KeyedBranch = {
      id: runtime.newId(),
      name,
      scopes: scopes.map((scope) => withoutSubject(namespaceOf(credential, scope).parts)),
      position: Buffer.from(position).toString('hex'),
      createdAtMillis: nowMs,
      endsAtMillis: nowMs + seconds * 1_000,
      purpose,
      author: { credential_id: credential.id, subject_id: spec.subject_id },
    };
    await runtime.store.transact((tx) => {
      request.confirm(tx);
      const stored = branchesAfter(tx, tenantId, undefined, STORED_BRANCHES_MAX);
      const live = stored.filter((each) => isLive(each, nowMs));
      const wanted = { name, subjectId: spec.subject_id, scopes: scopes.length };
      const counted = live.map((each) => countedBranch(each, branch));
      const decision = decideBranch(counted, { ...wanted, stored: stored.length });
      if (decision === 'name_taken') throw new AgentkeepError('revision_conflict');
      if (decision === 'too_many') throw new AgentkeepError('branch_limit');
      putBranch(tx, tenantId, branch);
      for (const parts of branch.scopes) holdRevisions(tx, tenantId, parts, branch.endsAtMillis);
    });
    return { contract_version: CONTRACT_VERSION, branch: showBranch(branch, cursors) };
  },
});

const FOREIGN_CURSOR = { path: 'as_of.cursor', expected: 'a cursor of the change feed' };

function withoutSubject(parts: KeyedBranch['scopes'][number]): KeyedBranch['scopes'][number] {
  const [project, mission, agent, visibility] = parts;
  return [project, mission, agent, visibility, null];
}

/** Returns the position of a branch: for one from now, behind all that was committed before. */
async function positionOf(
  { store }: Pick<Runtime, 'store'>,
  tenantId: string,
  start: Start,
): Promise<Uint8Array> {
  for (let looks = 0; ; looks += 1) {
    const found = await store.read((tx) => {
      const horizon = Uint8Array.from(tx.horizon());
      const span = { from: horizon, to: LAST_POSITION, limit: 1 };
      const isHeld = store.isShared && changesBetween(tx, tenantId, span).length > 0;
      return { position: positionAt(start, floorOf(tx, tenantId), horizon), isHeld };
    });
    if (start !== 'latest' || !found.isHeld || looks === HELD_LOOKS_MAX) return found.position;
    await setTimeout(HELD_MS_MIN * 2 ** looks);
  }
}

/** Returns a live branch with the scopes of another one that it is over. */
function countedBranch(live: KeyedBranch, { scopes }: KeyedBranch): CountedBranch {
  return {
    name: live.name,
    subjectId: live.author.subject_id,
    over: scopes.flatMap((parts, at) => (isOver(live, parts) ? [at] : [])),
  };
}
