/** Executors and the digest of their profile, which developments pin. */
import type { Actor } from '../../../kernel/access/actor.js';
import { documentDigest } from '../../../contract/schema/document-digest.js';
import type { ToolExecutor, ToolExecutorProfile } from './schema.js';

/** Makes a new executor. */
export function newExecutor(
  profile: ToolExecutorProfile,
  made: { readonly tenantId: string; readonly actor: Actor; readonly nowMs: number },
): ToolExecutor {
  return {
    schema_version: 1,
    tenant: made.tenantId,
    profile,
    profile_digest: profileDigest(profile),
    actor: made.actor,
    recorded_at_millis: made.nowMs,
  };
}

/** Whether the digest of a stored executor matches its profile. */
export function isExecutorSound({ profile, profile_digest }: ToolExecutor): boolean {
  return profile_digest === profileDigest(profile);
}

function profileDigest(profile: ToolExecutorProfile): string {
  return documentDigest('agentkeep tool-profile 1', profile);
}
