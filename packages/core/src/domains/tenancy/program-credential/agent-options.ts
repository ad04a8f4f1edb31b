/** The options of `agentFor()`. */
import * as v from 'valibot';
import { canonicalCapabilities, Capability } from '../../../kernel/access/capability.js';
import { Scope, type ScopeInput } from '../../../kernel/access/scope.js';
import { SubjectSelector } from '../../../kernel/access/subject-selector.js';
import type { RefusedMember } from '../../../contract/errors/agentkeep-error.js';
import {
  missingArguments,
  refuseUnknownOptions,
  requireArguments,
  wrongMembers,
} from '../../../contract/errors/arguments.js';
import { DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { refusedMember } from '../../../contract/schema/refused-member.js';
import { textId, utf8Bytes } from '../../../contract/schema/text.js';
import type { WantedCredential } from './program-credential-policy.js';

const CALL = 'agentFor()';

/** The subject that a program acts for, with its scopes and capabilities. */
export interface AgentOptions {
  /** Whose memory it is: 1 to 256 UTF-8 bytes, compared exactly. Private records belong to it. */
  readonly subject?: string | undefined;
  /** The name of the agent in its private scope, by default `default`; not with `scopes`. */
  readonly agent?: string | undefined;
  /** The tenant, by default `default`. Created if it is missing. */
  readonly tenant?: string | undefined;
  /** Another name of `subject`. */
  readonly subjectId?: string | undefined;
  /** Another name of `tenant`. */
  readonly tenantId?: string | undefined;
  /**
   * The scopes that the agent may act in, beside those that its subject has. `memory.remember()`
   * and `memory.recall()` use the first one. Default: a private scope of the subject.
   */
  readonly scopes?: readonly ScopeInput[] | undefined;
  /** Whether `scopes` take the place of those that the subject has. Default: false. */
  readonly replace?: boolean | undefined;
  /** Default: `memory_read` and `memory_write`. */
  readonly capabilities?: readonly Capability[] | undefined;
  /**
   * The subjects that the agent may act for with `agent.for()`. Adds the capability `act_for`.
   * Default: none.
   */
  readonly actFor?: SubjectSelector | undefined;
  /**
   * Whether to issue a new credential if the one of the subject is revoked or has other
   * capabilities. Default: false.
   */
  readonly renew?: boolean | undefined;
}

const OPTIONS = [
  ...([
    'subject',
    'tenant',
    'agent',
    'scopes',
    'replace',
    'capabilities',
    'actFor',
    'renew',
  ] as const),
  ...(['subjectId', 'tenantId'] as const),
];

const Options = closed({
  subject: v.optional(textId()),
  subjectId: v.optional(textId()),
  tenant: v.optional(textId()),
  tenantId: v.optional(textId()),
  agent: v.optional(textId()),
  scopes: v.optional(v.array(Scope)),
  replace: v.optional(v.boolean(), false),
  capabilities: v.optional(v.pipe(v.array(Capability), v.minLength(1)), () => [
    'memory_read' as const,
    'memory_write' as const,
  ]),
  actFor: v.optional(SubjectSelector),
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
  refuseUnknownOptions(CALL, options, OPTIONS);
  const { success, output, issues } = v.safeParse(Options, options);
  if (!success) throw wrongMembers(CALL, issues.map(memberOf));
  const { subject, subjectId = subject, tenant = 'default', tenantId = tenant, agent } = output;
  if (subjectId === undefined) throw missingArguments(CALL, ['subject']);
  const twice = namedTwice(output);
  if (twice.length > 0) throw wrongMembers(CALL, twice);
  const { scopes: grants = [privateScope(agent)], actFor, replace, renew } = output;
  const capabilities = canonicalCapabilities([
    ...output.capabilities.filter((each) => each !== 'act_for'),
    ...(actFor === undefined ? [] : (['act_for'] as const)),
  ]);
  refuseTooManyScopes(grants);
  const wanted = { grants, capabilities, actFor, replace, renew };
  return { tenantId, subjectId, ...wanted };
}

/**
 * Refuses more scopes than the document of a credential has room for.
 * @throws {AgentkeepError} `invalid_request`
 */
export function refuseTooManyScopes(grants: readonly Scope[]): void {
  if (utf8Bytes(JSON.stringify(grants)) <= DOCUMENT_BYTES_MAX) return;
  const expected = `at most ${DOCUMENT_BYTES_MAX} bytes of scopes, those that the subject has included`;
  throw wrongMembers(CALL, [{ path: 'scopes', expected }]);
}

/** The private scope of a subject that names none. */
function privateScope(agent = 'default'): Scope {
  return { project_id: 'default', mission_id: null, agent_id: agent, visibility: 'private' };
}

/** Options of which another one says the same. */
function namedTwice(options: v.InferOutput<typeof Options>): RefusedMember[] {
  const others = { subjectId: 'subject', tenantId: 'tenant', agent: 'scopes' } as const;
  return Object.entries(others)
    .filter(
      ([one, other]) =>
        options[one as keyof typeof others] !== undefined && options[other] !== undefined,
    )
    .map(([path, other]) => ({ path, expected: `no value beside \`${other}\`` }));
}

function memberOf(issue: v.BaseIssue<unknown>): RefusedMember {
  const member = refusedMember(issue);
  return member.path === '' ? { ...member, path: 'options' } : member;
}
