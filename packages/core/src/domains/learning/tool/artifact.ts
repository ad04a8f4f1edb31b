/** Artifacts: their digests, and their match with a development request. */
import { sha256Text } from '../../../contract/digest.js';
import type { Actor } from '../../../kernel/access/actor.js';
import { type Namespace, shownNamespace } from '../../../kernel/access/namespace.js';
import { documentDigest } from '../../../contract/schema/document-digest.js';
import type { ToolDevelopmentRequest } from './development-schema.js';
import type { ToolArtifact, ToolArtifactProposal, ToolExecutorProfile } from './schema.js';

/** The writer and the time of a write. */
export interface Writing {
  readonly actor: Actor;
  readonly nowMs: number;
}

/** Makes a new artifact. */
export function newArtifact(
  namespace: Namespace,
  proposal: ToolArtifactProposal,
  { actor, nowMs }: Writing,
): ToolArtifact {
  const owner = { tenant: namespace.tenantId, namespace: shownNamespace(namespace) };
  return {
    schema_version: 1,
    ...owner,
    proposal,
    artifact_digest: artifactDigest({ ...owner, proposal }),
    source_digest: hexDigest(proposal.source),
    dependency_digest: hexDigest(proposal.dependency_lock),
    actor,
    recorded_at_millis: nowMs,
  };
}

/** Whether the digests of a stored artifact match its content. */
export function isArtifactSound(artifact: ToolArtifact): boolean {
  const { proposal } = artifact;
  return (
    artifact.artifact_digest === artifactDigest(artifact) &&
    artifact.source_digest === hexDigest(proposal.source) &&
    artifact.dependency_digest === hexDigest(proposal.dependency_lock)
  );
}

/** Whether an artifact has the image of its executor and the sources of the request. */
export function answersRequest(
  proposal: ToolArtifactProposal,
  request: ToolDevelopmentRequest,
  profile: ToolExecutorProfile,
): boolean {
  return (
    proposal.runtime_image_digest === profile.runtime_image_digest &&
    proposal.parent_artifact_id === request.parent_artifact_id &&
    proposal.repair_evidence_ref === request.repair_evidence_ref &&
    proposal.source_refs.includes(`development:${request.id}`)
  );
}

function artifactDigest({
  tenant,
  namespace,
  proposal,
}: Pick<ToolArtifact, 'tenant' | 'namespace' | 'proposal'>): string {
  return documentDigest('agentkeep tool-artifact 1', { tenant, namespace, proposal });
}

function hexDigest(text: string): string {
  return sha256Text(text, 'hex');
}
