/** What administrators said of subjects, in the store. Most subjects have no entry. */
import {
  addedLast,
  boolean,
  fieldsLayout,
  json,
  number,
  orNull,
  text,
  type ValueOf,
} from '../../../storage/store/fields.js';
import { defineFamily } from '../../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { isErasedSubject } from '../../../kernel/erased/erased-subject-store.js';
import type { SubjectLimits } from './delegated-authority-policy.js';
import type { Principal } from '../../../kernel/access/principal.js';
import type { Capability } from '../../../kernel/access/capability.js';
import type { CompanyScopePolicy } from '../../../kernel/access/scope.js';

const subjectLayout = fieldsLayout(2, {
  tenantId: text,
  subjectId: text,
  revision: number,
  isBlocked: boolean,
  capabilities: json<readonly Capability[] | null>(),
  scopePolicy: json<CompanyScopePolicy | null>(),
  updatedAtMillis: number,
  /** Id of the credential that made the revision. */
  updatedBy: text,
  /** Made when the subject was admitted anew after an erasure, else null. Tokens depend on it. */
  admission: orNull(text),
  /** Why, as the administrator wrote it, else null. */
  reason: addedLast<string>(),
});

/** A stored subject. */
export type StoredSubject = ValueOf<typeof subjectLayout>;

/** What may be done for a subject, and whether it is blocked, by subject id. */
export const subjects = defineFamily({
  name: 'subjects',
  number: 48,
  key: ['text'],
  layout: subjectLayout,
  sealedBy: 'tenant',
  owner: 'subject',
  exported: { not: 'authority' },
  erased: 'removed',
  counts: null,
  remember: true,
  committedFor: ({ tenantId }) => tenantId,
  remembersAbsence: true,
});

/** Returns what is stored of a subject, or `undefined`. */
export function findSubject(
  tx: ReadTx,
  tenantId: string,
  subjectId: string,
): StoredSubject | undefined {
  return subjects.get(tx, tenantId, subjectId);
}

/**
 * Returns what may be done for a subject, or `undefined` for no limit. An erased one counts as
 * blocked until it is admitted anew, whatever an administrator stated of it.
 */
export function findLimits(
  tx: ReadTx,
  tenantId: string,
  subjectId: string,
): KnownLimits | undefined {
  const stored = findSubject(tx, tenantId, subjectId);
  if (stored?.isBlocked === true) return stored;
  return isErasedSubject(tx, tenantId, subjectId)
    ? { ...ERASED, ...stored, isBlocked: true }
    : stored;
}

/** Returns whether an administrator blocked a subject. An erasure is no block. */
export function isBlockedSubject(tx: ReadTx, tenantId: string, subjectId: string): boolean {
  return findSubject(tx, tenantId, subjectId)?.isBlocked === true;
}

/**
 * Refuses a caller whose own subject is blocked (docs/contract/delegation.md#dlg-20). Those who act
 * for others were judged when their proof was read.
 *
 * @throws {AgentkeepError} `subject_blocked`, which names the subject.
 */
export function requireUnblocked(tx: ReadTx, { credential }: Principal): void {
  if (credential === null || credential.actingService !== undefined) return;
  const { tenantId, spec } = credential;
  if (!isBlockedSubject(tx, tenantId, spec.subject_id)) return;
  const message =
    `The subject \`${spec.subject_id}\` is blocked, so its credentials are refused. ` +
    'An administrator of credentials can unblock it with putSubject.';
  throw new AgentkeepError('subject_blocked', { message });
}

/** The limits of a subject, with what its tokens depend on. */
export type KnownLimits = SubjectLimits & Pick<StoredSubject, 'admission'>;

const ERASED: KnownLimits = {
  isBlocked: true,
  capabilities: null,
  scopePolicy: null,
  admission: null,
};

/** Stores a new or changed subject. */
export function putSubjectState(tx: WriteTx, subject: StoredSubject): void {
  subjects.put(tx, subject, subject.tenantId, subject.subjectId);
}

/** Returns a page of the stored subjects of a tenant, in ascending order of id. */
export function subjectsAfter(
  tx: ReadTx,
  tenantId: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): StoredSubject[] {
  const start: [string] | undefined = after === undefined ? undefined : [after];
  return subjects.values(tx, tenantId, { prefix: [], after: start, limit });
}
