/** Stores lines of branches, over what their scopes have by then. */
import * as v from 'valibot';
import { storedAs } from '../../../contract/schema/member-names.js';
import { isErasedSubject } from '../../../kernel/erased/erased-subject-store.js';
import { refuseErased, refuseErasedSubject } from '../../../kernel/erased/erasure-mark-store.js';
import type { BranchLines } from '../../../upkeep/lines/domain-lines.js';
import type { Importing, StoreLine } from '../../../upkeep/lines/stored-line.js';
import { BRANCH_SECONDS_MAX } from '../branch/branch-policy.js';
import {
  findStoredBranch,
  hasEnded,
  holdRevisions,
  type KeyedBranch,
  noteBranchSpace,
  putBranch,
  type StoredBranch,
} from '../branch/branch-store.js';
import { isLive, isOver } from '../branch/live-branch.js';
import { decideBranchIn } from '../branching/manage-branches.js';
import { settledPosition } from '../journal/change-cursor.js';
import { branchesOf } from './branch-lines.js';
import { BranchLine } from './line-schemas.js';

/** The lines of branches. */
export const branchLines: BranchLines = {
  exported: branchesOf,
  prepare: async (value, importing, runtime) => {
    const typed = v.safeParse(BranchLine, value);
    if (!typed.success) return undefined;
    const position = await settledPosition(runtime, importing.tenantId);
    const { output } = typed;
    return { id: output.id.toLowerCase(), write: branchWrite(output, position, importing) };
  },
  isThere: (tx, { tenantId, parts }, id, { nowMs }) => {
    const branch = findStoredBranch(tx, tenantId, id);
    return branch !== undefined && isLive(branch, nowMs) && isOver(branch, parts);
  },
  noteSpace: noteBranchSpace,
};

/** Prepares a branch, over its scopes as they are at a position of the tenant's changes. */
function branchWrite(
  { line: _line, ...line }: BranchLine,
  position: Uint8Array,
  { tenantId, nowMs, erased }: Importing,
): StoreLine {
  const branch: KeyedBranch = {
    ...storedAs(line),
    id: line.id.toLowerCase(),
    scopes: line.scopes.map(
      ({ project_id, mission_id, agent_id, visibility }) =>
        [
          project_id,
          mission_id,
          agent_id,
          visibility,
          // A branch over a private scope is its author's.
          visibility === 'private' ? line.author.subject_id : null,
        ] as const,
    ),
    position: Buffer.from(position).toString('hex'),
    endsAtMillis: Math.min(line.ends_at_millis, nowMs + 1_000 * BRANCH_SECONDS_MAX),
  };
  return (tx) => {
    refuseErased(tx, tenantId, branch.scopes);
    refuseErasedSubject(tx, tenantId, branch.author.subject_id);
    const { subject_id: maker } = branch.author;
    const { createdAtMillis: at } = branch;
    const isErased = erased.hasSubject(maker, at) || isErasedSubject(tx, tenantId, maker);
    if (isErased || branch.scopes.some((parts) => erased.has(parts, at))) return 'erased';
    const known = findStoredBranch(tx, tenantId, branch.id);
    const isOverdue = !isLive(known ?? branch, nowMs);
    if (isOverdue || hasEnded(tx, tenantId, branch.id)) return 'branch_ended';
    if (known !== undefined) return isSame(known, branch) ? 'unchanged' : 'conflict';
    const decision = decideBranchIn(tx, tenantId, branch, nowMs);
    if (decision !== 'made') return decision === 'too_many' ? 'branch_limit' : decision;
    putBranch(tx, tenantId, branch);
    for (const parts of branch.scopes) holdRevisions(tx, tenantId, parts, branch.endsAtMillis);
    return 'stored';
  };
}

/** Whether a stored branch is the one of a line, which may name some of its scopes only. */
function isSame(known: StoredBranch, line: KeyedBranch): boolean {
  const isMade = known.name === line.name && known.createdAtMillis === line.createdAtMillis;
  const isBy = known.author.subject_id === line.author.subject_id;
  return isMade && isBy && line.scopes.every((parts) => isOver(known, parts));
}
