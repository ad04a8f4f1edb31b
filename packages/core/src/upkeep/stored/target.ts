/** What is erased: the namespaces that are of it, and digests that name it without its name. */
import * as v from 'valibot';
import { isInScope } from '../../kernel/access/covered-scope.js';
import { scopeMark, subjectMark } from '../../kernel/erased/erasure-mark-store.js';
import type { NamespaceParts } from '../../kernel/access/namespace.js';
import { Scope } from '../../kernel/access/scope.js';
import { hmacSha256 } from '../../contract/digest.js';
import { closed, orNull } from '../../contract/schema/document.js';
import { named } from '../../contract/schema/json-schema.js';
import { textId } from '../../contract/schema/text.js';
import { canonicalJson } from '../../contract/schema/json-value.js';
import { INSTALLATION } from '../../storage/store/key.js';

/** What is erased. */
export const ErasureTarget = v.pipe(
  v.variant('kind', [
    closed({ kind: v.literal('subject'), subject_id: textId() }),
    closed({
      kind: v.literal('scope'),
      scope: Scope,
      /** The subject of a private scope; null for the private scopes of all subjects. */
      subject_id: orNull(textId()),
    }),
  ]),
  named('ErasureTarget'),
);
export type ErasureTarget = v.InferOutput<typeof ErasureTarget>;

/** What a stored erasure erases: also a whole tenant, which only the master asks for. */
export type StoredTarget = ErasureTarget | { readonly kind: 'tenant'; readonly tenant_id: string };

const KEY_BYTES = 32;
const PSEUDONYM_CHARS = 22;

/** Returns whether a namespace is of a subject or a scope; never for a tenant, which has all. */
export function isOfTarget(parts: NamespaceParts, target: StoredTarget): boolean {
  const owner = parts[4];
  if (target.kind === 'tenant') return false;
  if (target.kind === 'subject') return owner === target.subject_id;
  const { scope, subject_id: subjectId } = target;
  return isInScope(parts, scope) && (subjectId === null || owner === subjectId);
}

/**
 * Returns what marks a target from the commit of its request to the end of its erasure; `undefined`
 * for a tenant, which has a mark of its own.
 */
export function markOf(target: StoredTarget): Uint8Array | undefined {
  if (target.kind === 'tenant') return undefined;
  if (target.kind === 'subject') return subjectMark(target.subject_id);
  const { project_id, mission_id, agent_id, visibility } = target.scope;
  return scopeMark([project_id, mission_id, agent_id, visibility, target.subject_id]);
}

/** Returns a new key of digests, as text. */
export function targetKeyFrom(bytes: (length: number) => Uint8Array): string {
  return Buffer.from(bytes(KEY_BYTES)).toString('base64url');
}

/** Returns the keyed digest of a target of a tenant, or of a tenant itself. */
export function targetDigest(key: string, tenantId: string, target: StoredTarget): string {
  return keyed(key, canonicalJson([tenantId === INSTALLATION ? null : tenantId, target]));
}

/** Returns the name that replaces that of an erased subject. */
export function pseudonymOf(key: string, tenantId: string, subjectId: string): string {
  const digest = keyed(key, canonicalJson([tenantId, 'pseudonym', subjectId]));
  return `erased-${digest.slice(0, PSEUDONYM_CHARS)}`;
}

/** Returns the keyed digests of further names of a target. */
export function nameDigests(key: string, names: readonly string[]): string[] {
  return names.map((name) => keyed(key, name));
}

function keyed(key: string, text: string): string {
  return hmacSha256(Buffer.from(key, 'base64url'))(text, 'base64url');
}

/** What names the target of an erasure. */
interface NamedTarget {
  readonly kind: StoredTarget['kind'];
  readonly tenantId: string;
  readonly targetKey: string;
  readonly targetDigest: string;
}

/** Returns whether an erasure is about a target. */
export function isAbout(erasure: NamedTarget, target: StoredTarget): boolean {
  const { kind, tenantId, targetKey } = erasure;
  return kind === target.kind && targetDigest(targetKey, tenantId, target) === erasure.targetDigest;
}
