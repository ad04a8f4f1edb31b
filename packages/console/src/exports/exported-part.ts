/** What a caller may export, and what the file of it is called. */
import type { Agent } from '@agentkeep/client';
import { scopeText, type ShownScope } from '../scopes/scope-query.js';
import { type Caller, may } from '../session/caller.js';

/** A tenant, a subject or a scope. */
export type ExportedPart = Parameters<Agent['exports']['texts']>[0];

/** Returns whether a caller may export everything of its tenant, and import. */
export function mayExportAll(caller: Caller): boolean {
  return may(caller, 'credential_admin');
}

/** Returns whether a caller may export a scope: everybody their own private ones. */
export function mayExport(caller: Caller, { scope, subjectId }: ShownScope): boolean {
  const own = caller.credential?.spec.subject_id;
  const isOwn = scope.visibility === 'private' && (subjectId ?? own) === own;
  return mayExportAll(caller) || (isOwn && may(caller, 'memory_read'));
}

/** Returns a scope as a part. */
export function partOfScope({ scope, subjectId }: ShownScope): ExportedPart {
  return { type: 'scope', scope, subject_id: subjectId ?? null };
}

/** Returns the name of a file, with characters that all systems allow. */
export function exportName(part: ExportedPart, tenantId: string, millis: number): string {
  const about = aboutOf(part, tenantId).replaceAll(/[^\p{L}\p{N}.]+/gu, '-');
  return `agentkeep-${about}-${new Date(millis).toISOString().slice(0, 10)}.jsonl`;
}

function aboutOf(part: ExportedPart, tenantId: string): string {
  if (part.type === 'scope') return scopeText(part.scope);
  return part.type === 'subject' ? part.subject_id : tenantId;
}
