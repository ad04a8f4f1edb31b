/**
 * The namespace that a scope means: scope and, when private, its subject, as one digest in keys.
 * The tenant stands before it in every key, so that even equal digests could never mix tenants.
 */
import { sha256 } from '../contract/digest.js';
import type { ActingCredential } from './principal.js';
import type { Scope } from './scope.js';

/** Where the records of a scope are stored, for one credential. */
export interface Namespace {
  readonly tenantId: string;
  /** SHA-256 over {@link Namespace.parts}. */
  readonly digest: Uint8Array;
  /** The readable form: project, mission, agent, visibility, private subject. */
  readonly parts: NamespaceParts;
}

/** The readable form of a namespace. */
export type NamespaceParts = readonly [
  projectId: string,
  missionId: string | null,
  agentId: string,
  visibility: string,
  privateSubjectId: string | null,
];

/** Returns the namespace that a scope means to a credential. */
export function namespaceOf(credential: ActingCredential, scope: Scope): Namespace {
  const subject = scope.visibility === 'private' ? credential.spec.subject_id : null;
  const parts: NamespaceParts = [
    scope.project_id,
    scope.mission_id,
    scope.agent_id,
    scope.visibility,
    subject,
  ];
  return { tenantId: credential.tenantId, digest: digestOf(parts), parts };
}

/**
 * A namespace as receipts show it: one text for each tenant, scope and private subject, and another
 * one for every other. It stays below 4,096 bytes because text ids hold no control characters.
 */
export function shownNamespace({ tenantId, parts }: Namespace): string {
  return `ns1_${Buffer.from(JSON.stringify([tenantId, ...parts]), 'utf8').toString('base64url')}`;
}

const REMEMBERED_DIGESTS_MAX = 4_096;
const digests = new Map<string, Uint8Array>();

/** Remembers digests, because agents use few scopes and hashing is the slowest step here. */
function digestOf(parts: NamespaceParts): Uint8Array {
  // JSON of an array of strings and nulls has one form for each value, whatever it holds.
  const text = JSON.stringify(parts);
  const known = digests.get(text);
  if (known !== undefined) return known;
  const digest = sha256(text);
  if (digests.size >= REMEMBERED_DIGESTS_MAX) digests.clear();
  digests.set(text, digest);
  return digest;
}
