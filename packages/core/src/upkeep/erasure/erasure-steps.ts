/**
 * The steps of an erasure, in order. Each walks through one part of the key space, so that an
 * erasure which was interrupted goes on where it was.
 */
import { namespaces } from '../../kernel/access/namespace-store.js';
import { scopeDigest } from '../../kernel/access/namespace.js';
import {
  nextMarked,
  putErasureMark,
  removeErasureMark,
} from '../../kernel/access/erasure-mark-store.js';
import { memoryChanges } from '../../domains/memory/journal/change-store.js';
import { noteErasedSource } from '../../domains/memory/record/source-store.js';
import { encodeKey, trailingDigest } from '../../storage/store/key.js';
import type { StoredTarget } from '../stored/target.js';
import { goesWithSource } from './one-each.js';
import type { Slice, Step } from './slice.js';
import { branchSteps, isInBranchOf, withdrawProposals } from './branch-steps.js';
import { isOfTarget, markOf } from '../stored/target.js';
import { subjectSteps } from './subject-steps.js';
import { tenantSteps } from './tenant-steps.js';
import { families, familyNames, type FamilyName } from '../families/families.js';

const DIGEST_BYTES = 32;
/** Bytes behind a digest of a derived revision: its record id and its revision. */
const REVISION_BYTES = 24;
const UUID_BYTES = 16;

/** Marks the namespaces of the target, so that nothing is written in them any more. */
const markNamespaces: Step = (slice, from) => {
  const { tenantId, id, target } = slice.erasure;
  if (target?.kind === 'scope' && target.subject_id === null) {
    // Also where nothing was written, since it may have a retention.
    const { project_id, mission_id, agent_id, visibility } = target.scope;
    const ofAll = scopeDigest([project_id, mission_id, agent_id, visibility, null]);
    putErasureMark(slice.tx, id, tenantId, ofAll);
  }
  return slice.walk({ family: 'namespaces', tenant: tenantId }, from, (entry) => {
    const parts = namespaces.open(entry.key, entry.value);
    if (target === null) return;
    const isGone = isOfTarget(parts, target) || isInBranchOf(slice.tx, { tenantId, parts }, target);
    if (!isGone) return;
    putErasureMark(slice.tx, id, tenantId, trailingDigest(entry.key));
  });
};

/** Removes the entries of a family whose keys begin with the digest of a marked namespace. */
function removeMarked(family: FamilyName): Step {
  return (slice, from) => {
    const { tenantId, id } = slice.erasure;
    const { number, shape } = families[family];
    const before = encodeKey(tenantId, number, shape, []).length;
    let digest: Uint8Array | undefined = from?.slice(before, before + DIGEST_BYTES);
    digest ??= nextMarked(slice.tx, tenantId, { erasureId: id, after: undefined });
    let start: Uint8Array | undefined = from;
    while (digest !== undefined) {
      if (!slice.hasRoom) return encodeKey(tenantId, number, shape, [digest]);
      const part = { family, tenant: tenantId, prefix: [digest] };
      const next = slice.walk(part, start, (entry) => {
        if (family === 'memoryDependents') noteLostSource(slice, entry.key);
        slice.remove(family, entry);
      });
      if (next !== undefined) return next;
      start = undefined;
      digest = nextMarked(slice.tx, tenantId, { erasureId: id, after: digest });
    }
    return undefined;
  };
}

/** Counts a link to a revision that stays, which shows from now on that its source was erased. */
function noteLostSource(slice: Slice, linkKey: Uint8Array): void {
  if (slice.isMarked(derivedIn(linkKey))) return;
  slice.countDependent();
  const rewritten = noteErasedSource(slice.tx, slice.erasure.tenantId, linkKey);
  if (rewritten === undefined) return;
  slice.count('memorySources', rewritten);
  slice.use(1);
}

/** The namespace of the derived revision that a key of links or traces ends with. */
function derivedIn(key: Uint8Array): Uint8Array {
  return trailingDigest(key, REVISION_BYTES);
}

/** Removes the entries of a family of which only a later part is about a marked namespace. */
function removeWhere(
  family: FamilyName,
  digestOf: (key: Uint8Array, value: Uint8Array) => Uint8Array,
): Step {
  return (slice, from) => {
    const part = { family, tenant: slice.erasure.tenantId };
    return slice.walk(part, from, (entry) => {
      if (slice.isMarked(digestOf(entry.key, entry.value))) slice.remove(family, entry);
    });
  };
}

/** Removes the readable forms and the marks but that of the target, after everything else. */
const removeMarks: Step = (slice, from) => {
  const { tenantId, id, target } = slice.erasure;
  const last = target === null ? undefined : markOf(target);
  return slice.walk({ family: 'erasureMarks', tenant: tenantId }, from, ({ key }) => {
    const digest = trailingDigest(key);
    const isLast = last !== undefined && Buffer.compare(digest, last) === 0;
    if (isLast || !slice.isMarked(digest)) return;
    const namespaceKey = namespaces.keyOf(tenantId, digest);
    const value = slice.tx.get(namespaceKey);
    if (value !== undefined) slice.remove('namespaces', { key: namespaceKey, value });
    removeErasureMark(slice.tx, id, tenantId, digest);
    slice.count('erasureMarks', encodeKey('', 0, [], [Buffer.from(id)]));
  });
};

/** Families of scopes; what others are derived from comes last, with what goes with it. */
const ofScopes = familyNames
  .filter((name) => families[name].facts.owner === 'scope' && !goesWithSource(name))
  .filter((name) => name !== 'namespaces' && name !== 'erasureMarks')
  .toSorted((one, other) => rankOf(one) - rankOf(other));

function rankOf(family: FamilyName): number {
  // Removing search entries adds to it.
  if (family === 'memoryRemovals') return 2;
  return families[family].facts.derived === undefined ? 1 : 0;
}

const scopeSteps: readonly Step[] = [
  withdrawProposals,
  markNamespaces,
  ...ofScopes.map(removeMarked),
  removeWhere('memoryDependents', derivedIn),
  removeWhere('memoryTraced', derivedIn),
  removeWhere('memoryPurges', (key) => trailingDigest(key, UUID_BYTES)),
  removeWhere('memoryBranchSpaces', (key) => trailingDigest(key)),
  removeWhere('memoryBranchMerged', (key) => trailingDigest(key, UUID_BYTES)),
  ...branchSteps,
  removeWhere('memoryChanges', (key, value) => {
    return memoryChanges.open(key, value).digest;
  }),
];

const steps: Readonly<Record<StoredTarget['kind'], readonly Step[]>> = {
  scope: [...scopeSteps, removeMarks],
  subject: [...subjectSteps.before, ...scopeSteps, ...subjectSteps.after, removeMarks],
  tenant: tenantSteps,
};

/** Returns the steps of an erasure of this kind. */
export function stepsOf(kind: StoredTarget['kind']): readonly Step[] {
  return steps[kind];
}
