/**
 * The namespace of a record: scope and, when private, its subject, as one digest in keys. The
 * tenant stands before it in every key, so that even equal digests could never mix tenants.
 * @module
 */
import { hash } from 'node:crypto';
import type { ActingCredential } from '../access/principal.js';
import type { Scope } from '../access/scope.js';

/** Where the records of a scope live, for the credential that asks. */
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

/** The namespace that a scope means to a credential. */
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

const REMEMBERED_DIGESTS_MAX = 4_096;
const digests = new Map<string, Uint8Array>();

/** Remembered, because agents stay in few scopes and hashing costs more than all else here. */
function digestOf(parts: NamespaceParts): Uint8Array {
  // JSON of an array of strings and nulls has one form for each value, whatever it holds.
  const text = JSON.stringify(parts);
  const known = digests.get(text);
  if (known !== undefined) return known;
  const digest = hash('sha256', text, 'buffer');
  if (digests.size >= REMEMBERED_DIGESTS_MAX) digests.clear();
  digests.set(text, digest);
  return digest;
}
