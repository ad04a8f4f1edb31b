/**
 * The namespace of a scope: a digest in keys over the scope and, if private, the subject. Every key
 * starts with the tenant, so even equal digests could not mix tenants.
 */
import { sha256 } from '../../contract/digest.js';
import type { ActingCredential } from './principal.js';
import type { MemoryScope } from './scope.js';

/** The key prefix of a scope's records, for one credential. */
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
  /** Id of a branch; absent outside of branches. */
  branch?: string,
];

/** Returns the namespace of a scope for a credential. */
export function namespaceOf(credential: ActingCredential, scope: MemoryScope): Namespace {
  const subject = scope.visibility === 'private' ? credential.spec.subject_id : null;
  const { project_id, mission_id, agent_id, visibility, branch } = scope;
  const base: NamespaceParts = [project_id, mission_id, agent_id, visibility, subject];
  const parts: NamespaceParts =
    branch === undefined
      ? base
      : [project_id, mission_id, agent_id, visibility, subject, branch.toLowerCase()];
  return namespaceOfParts(credential.tenantId, parts);
}

/** Returns the namespace of a tenant with a readable form. */
export function namespaceOfParts(tenantId: string, parts: NamespaceParts): Namespace {
  return { tenantId, digest: digestOf(parts), parts };
}

/** Returns the id of the branch of a namespace, or `undefined`. */
export function branchOf([, , , , , branch]: NamespaceParts): string | undefined {
  return branch;
}

/** Returns the namespace that one of a branch is over, and any other one itself. */
export function baseOf(namespace: Namespace): Namespace {
  const { tenantId, parts } = namespace;
  return branchOf(parts) === undefined ? namespace : namespaceOfParts(tenantId, basePartsOf(parts));
}

/** Returns parts without their branch: the scope, and the subject of a private one. */
export function basePartsOf([
  project,
  mission,
  agent,
  visibility,
  subject,
]: NamespaceParts): NamespaceParts {
  return [project, mission, agent, visibility, subject];
}

/** Returns the namespace of a branch over one outside of branches. */
export function inBranch({ tenantId, parts }: Namespace, branch: string): Namespace {
  const [project, mission, agent, visibility, subject] = parts;
  return namespaceOfParts(tenantId, [project, mission, agent, visibility, subject, branch]);
}

/** Returns the parts of a scope, which the namespaces of all subjects and branches share. */
export function scopePartsOf([
  project,
  mission,
  agent,
  visibility,
]: NamespaceParts): NamespaceParts {
  return [project, mission, agent, visibility, null];
}

/** Returns the digest of a scope, which the private namespaces of all subjects share. */
export function scopeDigest(parts: NamespaceParts): Uint8Array {
  return digestOf(scopePartsOf(parts));
}

/**
 * Returns a namespace as shown in receipts, which is unique for tenant, scope and private subject.
 * It is shorter than 4,096 bytes, because text ids contain no control characters.
 */
export function shownNamespace({ tenantId, parts }: Namespace): string {
  return `ns1_${Buffer.from(JSON.stringify([tenantId, ...parts]), 'utf8').toString('base64url')}`;
}

function digestOf(parts: NamespaceParts): Uint8Array {
  // An array of strings and nulls has exactly one JSON form.
  return sha256(JSON.stringify(parts));
}
