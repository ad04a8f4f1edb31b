/** The options of `agentFor()`. */
import * as v from 'valibot';
import { canonicalCapabilities, Capability } from '../../access/capability.js';
import { Scope, type ScopeInput } from '../../access/scope.js';
import type { RefusedMember } from '../../contract/errors/agentkeep-error.js';
import { requireArguments, wrongArguments, wrongMembers } from '../../contract/errors/arguments.js';
import { DOCUMENT_BYTES_MAX } from '../../contract/limits.js';
import { closed } from '../../contract/schema/document.js';
import { refusedMember } from '../../contract/schema/refused-member.js';
import { textId, utf8Bytes } from '../../contract/schema/text.js';
import type { WantedCredential } from './program-credential-policy.js';

const CALL = 'agentFor()';

/** The subject that a program acts for, with its scopes and capabilities. */
export interface AgentOptions {
  /** 1 to 256 UTF-8 bytes, compared exactly. Created if it is missing. */
  readonly tenantId: string;
  /** 1 to 256 UTF-8 bytes, compared exactly. Private records belong to it. */
  readonly subjectId: string;
  /** The scopes that the agent may act in. They replace all earlier ones. */
  readonly scopes: readonly ScopeInput[];
  /** Default: `memory_read` and `memory_write`. */
  readonly capabilities?: readonly Capability[] | undefined;
  /**
   * Whether to issue a new credential if the one of the subject is revoked or has other
   * capabilities. Default: false.
   */
  readonly renew?: boolean | undefined;
}

const Options = closed({
  tenantId: textId(),
  subjectId: textId(),
  scopes: v.array(Scope),
  capabilities: v.optional(v.pipe(v.array(Capability), v.minLength(1)), () => [
    'memory_read' as const,
    'memory_write' as const,
  ]),
  renew: v.optional(v.boolean(), false),
});

/** Checked options. */
export interface WantedAgent extends WantedCredential {
  readonly tenantId: string;
  readonly subjectId: string;
  readonly capabilities: Capability[];
  readonly grants: Scope[];
}

/**
 * Checks the options of `agentFor()`.
 * @throws {AgentkeepError} `invalid_request` with the wrong members.
 */
export function checkAgentOptions(options: AgentOptions): WantedAgent {
  requireArguments(CALL, { options });
  const { success, output, issues } = v.safeParse(Options, options);
  if (!success) throw wrongMembers(CALL, issues.map(memberOf));
  const { scopes: grants, capabilities, ...rest } = output;
  if (utf8Bytes(JSON.stringify(grants)) > DOCUMENT_BYTES_MAX)
    throw wrongArguments(CALL, ['scopes']);
  return { ...rest, grants, capabilities: canonicalCapabilities(capabilities) };
}

function memberOf(issue: v.BaseIssue<unknown>): RefusedMember {
  const member = refusedMember(issue);
  return member.path === '' ? { ...member, path: 'options' } : member;
}
