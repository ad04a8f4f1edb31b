/**
 * The namespace of a record: scope and, when private, its subject, as one digest in keys. The tenant
 * stands before it in every key, so that even equal digests could never mix tenants.
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
  // JSON of an array of strings and nulls has one form for each value, whatever it holds.
  const digest = hash('sha256', JSON.stringify(parts), 'buffer');
  return { tenantId: credential.tenantId, digest, parts };
}
