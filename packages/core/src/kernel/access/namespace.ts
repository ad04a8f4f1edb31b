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

const REMEMBERED_DIGESTS_MAX = 4_096;
const digests = new Map<string, Uint8Array>();

/** Memoized, because agents use few scopes and hashing dominates the cost. */
function digestOf(parts: NamespaceParts): Uint8Array {
  const name = nameOf(parts);
  const known = digests.get(name);
  if (known !== undefined) return known;
  // An array of strings and nulls has exactly one JSON form.
  const digest = sha256(JSON.stringify(parts));
  digests.set(name, digest);
  if (digests.size <= REMEMBERED_DIGESTS_MAX) return digest;
  // Removes only the oldest, so that new scopes don't force all others to be hashed again.
  for (const oldest of digests.keys()) {
    digests.delete(oldest);
    break;
  }
  return digest;
}

/** Names a namespace without ambiguity, in a fraction of the time that its JSON takes. */
function nameOf([project, mission, agent, visibility, subject, branch]: NamespaceParts): string {
  const sizes = `${project.length} ${mission === null ? '' : mission.length} ${agent.length}`;
  const owner = subject === null ? '' : `+${subject}`;
  // An id of a branch has one length, so that no two names are the same.
  const over = branch === undefined ? '' : `${branch} `;
  return `${over}${sizes} ${visibility.length} ${project}${mission ?? ''}${agent}${visibility}${owner}`;
}
