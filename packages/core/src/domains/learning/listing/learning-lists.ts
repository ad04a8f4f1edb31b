/** The operations that list what a namespace has learned. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { inExampleScope } from '../../../contract/example-values.js';
import { utf8Bytes } from '../../../contract/schema/text.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { attemptsAfter } from '../experience/experience-store.js';
import { admissionsAfter } from '../procedure/admission-store.js';
import {
  findProcedure,
  proceduresAfter,
  type StoredProcedure,
} from '../procedure/procedure-store.js';
import { showAdmission } from '../procedure/read-procedures.js';
import { shownStanding } from '../procedure/show-procedure.js';
import { scopedOperation, scopedRead } from '../scoped-operation.js';
import {
  artifactsAfter,
  developmentEventsAfter,
  developmentsAfter,
  findDevelopment,
} from '../tool/tool-store.js';
import {
  DevelopmentEventsRequest,
  DevelopmentEventsResponse,
  EvaluationsRequest,
  EvaluationsResponse,
  ExperiencesResponse,
  type ListedProcedure,
  ProceduresResponse,
  ScopeListRequest,
  ToolArtifactsResponse,
  ToolDevelopmentsResponse,
} from './list-schema.js';
import { listNamespace } from './list-entries.js';

/** In the order of stored keys. Instructions are left out; see `readProcedure`. */
export const listProcedures = defineTenantOperation({
  ...scopedOperation,
  name: 'listProcedures',
  summary: 'List the procedures of a scope, with where each stands.',
  example: { document: { ...inExampleScope, limit: 1 } },
  command: {
    name: 'learning procedures',
    columns: [
      ...['id', 'state', 'qualification_count', 'mean_improvement', 'policy_id'],
      ...['context_id', 'created_at_millis'],
    ],
    examples: [
      'agentkeep learning procedures --project-id demo --agent-id assistant --visibility ' +
        'shared',
    ],
  },
  tag: 'Learning',
  effect: 'read',
  input: { document: ScopeListRequest },
  output: ProceduresResponse,
  requires: { capability: 'memory_read', scope: ({ document }) => document.scope },
  isHeavy: true,
  handler: ({ runtime, credential, input }) => {
    const namespace = namespaceOf(credential, input.document.scope);
    return listNamespace(runtime.store, input.document, {
      namespace,
      of: ['procedures'],
      read: (tx, span) => proceduresAfter(tx, namespace, span),
      show: listedProcedure,
      idOf: ({ proposal }) => proposal.request.id,
    });
  },
});

function listedProcedure(procedure: StoredProcedure): ListedProcedure {
  const { id, policy_id, context_id, instructions } = procedure.proposal.request;
  const { policy, context } = procedure.basis;
  const { task, baseline_revision } = context.payload;
  const { algorithm, parameters } = policy.payload;
  return {
    id,
    policy_id,
    context_id,
    algorithm,
    policy: { ...parameters },
    task,
    baseline_revision,
    instruction_bytes: utf8Bytes(instructions),
    ...shownStanding(procedure),
  };
}

/** In the order of stored keys, which is that of the cases and not of time. */
export const listEvaluations = defineTenantOperation({
  ...scopedRead,
  name: 'listEvaluations',
  summary: 'List the receipts of the evaluations of a procedure.',
  example: { document: { ...inExampleScope, procedure_id: 'read-twice', limit: 1 } },
  command: {
    name: 'learning evaluations',
    columns: ['submission.case_id', 'outcome', 'reason', 'state_after', 'recorded_at_millis'],
    examples: [
      'agentkeep learning evaluations --procedure-id greet-first --project-id demo ' +
        '--agent-id assistant --visibility shared',
    ],
  },
  tag: 'Learning',
  input: { document: EvaluationsRequest },
  output: EvaluationsResponse,
  requires: { capability: 'memory_read', scope: ({ document }) => document.scope },
  isHeavy: true,
  handler: ({ runtime, credential, input }) => {
    const { scope, procedure_id: id } = input.document;
    const namespace = namespaceOf(credential, scope);
    return listNamespace(runtime.store, input.document, {
      namespace,
      of: ['evaluations', id],
      read: (tx, span) => {
        const procedure = findProcedure(tx, namespace, id);
        if (procedure === undefined) throw new AgentkeepError('record_not_found');
        const found = admissionsAfter(tx, namespace, id, span);
        return found.map((admission) => ({ procedure, admission }));
      },
      show: ({ procedure, admission }) => showAdmission(namespace, procedure, admission),
      idOf: ({ admission }) => admission.submission.case_id,
    });
  },
});

/** In the order of stored keys; see `readExperienceHistory` for the events of one. */
export const listExperiences = defineTenantOperation({
  ...scopedOperation,
  name: 'listExperiences',
  summary: 'List the attempts of a scope, with where each stands.',
  example: { document: { ...inExampleScope, limit: 1 } },
  command: {
    name: 'experiences list',
    columns: ['receipt.request.id', 'outcome', 'revision', 'receipt.recorded_at_millis'],
    examples: [
      'agentkeep experiences list --project-id demo --agent-id assistant --visibility shared',
    ],
  },
  tag: 'Experiences',
  effect: 'read',
  input: { document: ScopeListRequest },
  output: ExperiencesResponse,
  requires: { capability: 'experience_read', scope: ({ document }) => document.scope },
  isHeavy: true,
  handler: ({ runtime, credential, input }) => {
    const namespace = namespaceOf(credential, input.document.scope);
    return listNamespace(runtime.store, input.document, {
      namespace,
      of: ['experiences'],
      read: (tx, span) => attemptsAfter(tx, namespace, span),
      show: (attempt) => attempt,
      idOf: ({ receipt }) => receipt.request.id,
    });
  },
});

/** In the order of stored keys. */
export const listToolArtifacts = defineTenantOperation({
  ...scopedOperation,
  name: 'listToolArtifacts',
  summary: 'List the tools of a scope.',
  example: { document: { ...inExampleScope, limit: 1 } },
  command: {
    name: 'tools list',
    columns: ['proposal.id', 'proposal.entrypoint', 'actor.subject_id', 'recorded_at_millis'],
    examples: ['agentkeep tools list --project-id demo --agent-id assistant --visibility shared'],
  },
  tag: 'Tools',
  effect: 'read',
  input: { document: ScopeListRequest },
  output: ToolArtifactsResponse,
  requires: { capability: 'tool_read', scope: ({ document }) => document.scope },
  isHeavy: true,
  handler: ({ runtime, credential, input }) => {
    const namespace = namespaceOf(credential, input.document.scope);
    return listNamespace(runtime.store, input.document, {
      namespace,
      of: ['artifacts'],
      read: (tx, span) => artifactsAfter(tx, namespace, span),
      show: (artifact) => artifact,
      idOf: ({ proposal }) => proposal.id,
    });
  },
});

/** In the order of stored keys. */
export const listToolDevelopments = defineTenantOperation({
  ...scopedOperation,
  name: 'listToolDevelopments',
  summary: 'List the developments of tools of a scope, with where each stands.',
  example: { document: { ...inExampleScope, limit: 1 } },
  command: {
    name: 'tools developments',
    columns: ['receipt.request.id', 'state', 'reason', 'revision', 'artifact_id'],
    examples: [
      'agentkeep tools developments --project-id demo --agent-id assistant --visibility ' +
        'shared',
    ],
  },
  tag: 'Tools',
  effect: 'read',
  input: { document: ScopeListRequest },
  output: ToolDevelopmentsResponse,
  requires: { capability: 'tool_read', scope: ({ document }) => document.scope },
  isHeavy: true,
  handler: ({ runtime, credential, input }) => {
    const namespace = namespaceOf(credential, input.document.scope);
    return listNamespace(runtime.store, input.document, {
      namespace,
      of: ['developments'],
      read: (tx, span) => developmentsAfter(tx, namespace, span),
      show: (development) => development,
      idOf: ({ receipt }) => receipt.request.id,
    });
  },
});

/** In the order of stored keys; the revision of the state after each is that of time. */
export const listToolDevelopmentEvents = defineTenantOperation({
  ...scopedRead,
  name: 'listToolDevelopmentEvents',
  summary: 'List the events of the development of a tool, each with the state after it.',
  example: { document: { ...inExampleScope, request_id: 'word-count', limit: 1 } },
  command: {
    name: 'tools events',
    columns: [
      ...['command.event_id', 'command.action.type', 'record.state', 'record.reason'],
      ...['record.revision', 'recorded_at_millis'],
    ],
    examples: [
      'agentkeep tools events --request-id frame-number --project-id demo --agent-id ' +
        'assistant --visibility shared',
    ],
  },
  tag: 'Tools',
  input: { document: DevelopmentEventsRequest },
  output: DevelopmentEventsResponse,
  requires: { capability: 'tool_read', scope: ({ document }) => document.scope },
  isHeavy: true,
  handler: ({ runtime, credential, input }) => {
    const { scope, request_id: id } = input.document;
    const namespace = namespaceOf(credential, scope);
    return listNamespace(runtime.store, input.document, {
      namespace,
      of: ['development events', id],
      read: (tx, span) => {
        const development = findDevelopment(tx, namespace, id);
        if (development === undefined) throw new AgentkeepError('record_not_found');
        return developmentEventsAfter(tx, namespace, id, span);
      },
      show: (event) => event,
      idOf: ({ command }) => command.event_id,
    });
  },
});
