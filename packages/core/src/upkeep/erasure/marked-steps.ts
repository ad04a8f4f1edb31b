/**
 * The steps that mark the namespaces of a target and remove what is in them. Each walks through a
 * part of the key space, so that an erasure which was interrupted goes on where it was.
 */
import { namespaces, scopeDigest } from '../../kernel/access/namespace.js';
import {
  erasureMarks,
  nextMarked,
  putErasureMark,
  removeErasureMark,
} from '../../kernel/erased/erasure-mark-store.js';
import { encodeKey, trailingDigest } from '../../storage/store/key.js';
import { isOfTarget, markOf } from '../stored/target.js';
import type { Step } from './slice.js';

const DIGEST_BYTES = 32;

/** Marks the namespaces of the target, so that nothing is written in them any more. */
export const markNamespaces: Step = (slice, from) => {
  const { tenantId, id, target } = slice.erasure;
  if (target?.kind === 'scope' && target.subject_id === null) {
    // Also where nothing was written, since it may have a retention.
    const { project_id, mission_id, agent_id, visibility } = target.scope;
    const ofAll = scopeDigest([project_id, mission_id, agent_id, visibility, null]);
    putErasureMark(slice.tx, id, tenantId, ofAll);
  }
  return slice.walk({ family: namespaces.name, tenant: tenantId }, from, (entry) => {
    const parts = namespaces.open(entry.key, entry.value);
    if (target === null) return;
    const isGone =
      isOfTarget(parts, target) || slice.plan.includes(slice.tx, { tenantId, parts }, target);
    if (!isGone) return;
    putErasureMark(slice.tx, id, tenantId, trailingDigest(entry.key));
  });
};

/** Removes the entries of a family whose keys begin with the digest of a marked namespace. */
export function removeMarked(family: string): Step {
  return (slice, from) => {
    const { tenantId, id } = slice.erasure;
    const { number, shape } = slice.plan.families.get(family);
    const before = encodeKey(tenantId, number, shape, []).length;
    let digest: Uint8Array | undefined = from?.slice(before, before + DIGEST_BYTES);
    digest ??= nextMarked(slice.tx, tenantId, { erasureId: id, after: undefined });
    let start: Uint8Array | undefined = from;
    while (digest !== undefined) {
      if (!slice.hasRoom) return encodeKey(tenantId, number, shape, [digest]);
      const part = { family, tenant: tenantId, prefix: [digest] };
      const next = slice.walk(part, start, (entry) => {
        slice.remove(family, entry);
      });
      if (next !== undefined) return next;
      start = undefined;
      digest = nextMarked(slice.tx, tenantId, { erasureId: id, after: digest });
    }
    return undefined;
  };
}

/** Removes the entries of a family of which only a later part is about a marked namespace. */
export function removeWhere(
  family: string,
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
export const removeMarks: Step = (slice, from) => {
  const { tenantId, id, target } = slice.erasure;
  const last = target === null ? undefined : markOf(target);
  return slice.walk({ family: erasureMarks.name, tenant: tenantId }, from, ({ key }) => {
    const digest = trailingDigest(key);
    const isLast = last !== undefined && Buffer.compare(digest, last) === 0;
    if (isLast || !slice.isMarked(digest)) return;
    const namespaceKey = namespaces.keyOf(tenantId, digest);
    const value = slice.tx.get(namespaceKey);
    if (value !== undefined) slice.remove(namespaces.name, { key: namespaceKey, value });
    removeErasureMark(slice.tx, id, tenantId, digest);
    slice.count(erasureMarks.name, encodeKey('', 0, [], [Buffer.from(id)]));
  });
};
