/** Schemas of the documents of proposals (docs/contract/review.md). */
import * as v from 'valibot';
import { Scope, Visibility } from '../../../kernel/access/scope.js';
import {
  CURSOR_CHARS_MAX,
  DIRECTORY_LIMIT_DEFAULT,
  DIRECTORY_LIMIT_MAX,
} from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import {
  answeredVersion,
  boundedInteger,
  contractVersion,
  integer,
} from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { boundedText, MemoryProposal, ProposalState } from '../documents/proposal-schema.js';
import { MemoryChange } from '../documents/schema.js';
import { lifetime } from './branch-schema.js';

const isStatedWhole = (given: readonly unknown[], mission: unknown): boolean => {
  const count = given.filter((each) => each !== undefined).length;
  return count === given.length || (count === 0 && mission === undefined);
};

/** The body that proposes one command. */
export const NewProposal = v.pipe(
  closed({
    contract_version: contractVersion(),
    idempotency_key: textId(),
    scope: Scope,
    operation: MemoryChange,
    /** Why it is proposed. */
    purpose: orNull(boundedText()),
    expires_in_seconds: lifetime(),
  }),
  v.check(
    ({ operation }) => !('dependents' in operation && operation.dependents !== undefined),
    'no dependents in a proposal',
  ),
  named('NewMemoryProposal'),
);

/** The body that submits a branch. */
export const SubmitRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    /** Why it is proposed; null leaves the purpose of the branch. */
    purpose: orNull(boundedText()),
  }),
  named('BranchProposalRequest'),
);

/** The body that rejects a proposal. */
export const RejectionRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    reason: v.pipe(
      boundedText(),
      v.check((text) => text !== '', 'a reason'),
    ),
  }),
  named('ProposalRejection'),
);

/** The body that withdraws the proposals of an author. */
export const ProposalsWithdrawal = v.pipe(
  closed({
    contract_version: contractVersion(),
    /** The subject that proposed, or the service that acted for those who did. */
    subject_id: textId(),
  }),
  named('MemoryProposalsWithdrawal'),
);

/** The answer to a withdrawal. */
export const WithdrawnResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    /** How many waited. */
    withdrawn: integer(),
  }),
  named('WithdrawnProposalsResponse'),
);

/** The query parameters of a list of proposals. The members of a scope come together or not. */
export const ProposalsParameters = v.pipe(
  closed({
    contract_version: contractVersion(),
    state: v.optional(ProposalState, 'proposed'),
    /** Only this one, in whatever state. */
    proposal_id: v.optional(uuid()),
    project_id: v.optional(textId()),
    mission_id: v.optional(textId()),
    agent_id: v.optional(textId()),
    visibility: v.optional(Visibility),
    limit: v.optional(boundedInteger(1, DIRECTORY_LIMIT_MAX), DIRECTORY_LIMIT_DEFAULT),
    cursor: v.optional(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
  }),
  v.check(
    ({ project_id, mission_id, agent_id, visibility }) =>
      isStatedWhole([project_id, agent_id, visibility], mission_id),
    'all members of a scope, or none',
  ),
);

/** The answer with a proposal. */
export const ProposalResponse = v.pipe(
  closed({ contract_version: answeredVersion, proposal: MemoryProposal }),
  named('MemoryProposalResponse'),
);

/** The answer with a page of proposals. */
export const ProposalsResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    page: v.pipe(
      closed({
        items: v.pipe(v.array(MemoryProposal), v.maxLength(DIRECTORY_LIMIT_MAX)),
        next_cursor: v.nullable(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
      }),
      named('MemoryProposalsPage'),
    ),
  }),
  named('MemoryProposalsResponse'),
);
