/** Documents of the lists of learning (docs/contract/learning-lists.md). */
import * as v from 'valibot';
import { Scope } from '../../../kernel/access/scope.js';
import {
  CURSOR_CHARS_MAX,
  DIRECTORY_LIMIT_DEFAULT,
  DIRECTORY_LIMIT_MAX,
  INSTRUCTIONS_BYTES_MAX,
} from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import { ledgerId } from '../../../contract/schema/text.js';
import {
  answeredVersion,
  boundedInteger,
  contractVersion,
} from '../../../contract/schema/number.js';
import { Experience } from '../experience/schema.js';
import {
  ContextEntry,
  LearningAlgorithm,
  learningText,
  PolicyEntry,
  PolicyParameters,
} from '../policy/schema.js';
import { AdmissionReceipt } from '../procedure/evaluation-schema.js';
import { ProcedureStanding } from '../procedure/procedure-schema.js';
import { ToolDevelopment, ToolDevelopmentEvent } from '../tool/development-schema.js';
import { ToolArtifact } from '../tool/schema.js';

const cursor = () => v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX));

const listed = {
  contract_version: contractVersion(),
  scope: Scope,
  limit: v.optional(boundedInteger(1, DIRECTORY_LIMIT_MAX), DIRECTORY_LIMIT_DEFAULT),
  cursor: orNull(cursor()),
};

/** Body of a list of what a scope has. */
export const ScopeListRequest = v.pipe(closed(listed), named('ScopeListRequest'));

/** Body of the list of evaluations. */
export const EvaluationsRequest = v.pipe(
  closed({ ...listed, procedure_id: learningText() }),
  named('LearningEvaluationsRequest'),
);

/** Body of the list of events of a development. */
export const DevelopmentEventsRequest = v.pipe(
  closed({ ...listed, request_id: ledgerId }),
  named('ToolDevelopmentEventsRequest'),
);

/** A procedure without its instructions. */
export const ListedProcedure = v.pipe(
  closed({
    id: learningText(),
    policy_id: learningText(),
    context_id: learningText(),
    algorithm: LearningAlgorithm,
    policy: PolicyParameters,
    task: learningText(),
    baseline_revision: learningText(),
    instruction_bytes: boundedInteger(1, INSTRUCTIONS_BYTES_MAX),
    ...ProcedureStanding.entries,
  }),
  named('ListedProcedure'),
);
export type ListedProcedure = v.InferOutput<typeof ListedProcedure>;

/** Returns the answer with a page of items. */
function paged<S extends v.GenericSchema>(name: string, item: S) {
  const page = closed({
    items: v.pipe(v.array(item), v.maxLength(DIRECTORY_LIMIT_MAX)),
    next_cursor: v.nullable(cursor()),
  });
  return v.pipe(
    closed({ contract_version: answeredVersion, page: v.pipe(page, named(`${name}Page`)) }),
    named(`${name}Response`),
  );
}

/** Answer with a page of procedures. */
export const ProceduresResponse = paged('ListedProcedures', ListedProcedure);

/** Answer with a page of evaluations. */
export const EvaluationsResponse = paged('AdmissionReceipts', AdmissionReceipt);

/** Answer with a page of attempts. */
export const ExperiencesResponse = paged('Experiences', Experience);

/** Answer with a page of tools. */
export const ToolArtifactsResponse = paged('ToolArtifacts', ToolArtifact);

/** Answer with a page of developments. */
export const ToolDevelopmentsResponse = paged('ToolDevelopments', ToolDevelopment);

/** Answer with a page of events of a development. */
export const DevelopmentEventsResponse = paged('ToolDevelopmentEvents', ToolDevelopmentEvent);

/** Answer with a page of policies. */
export const PolicyEntriesResponse = paged('PolicyEntries', PolicyEntry);

/** Answer with a page of contexts. */
export const ContextEntriesResponse = paged('ContextEntries', ContextEntry);
