/** The operations that show artifacts, executors and developments of tools. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { inExampleScope } from '../../../contract/example-values.js';
import { ledgerId } from '../../../contract/schema/text.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { scopedRead } from '../scoped-operation.js';
import {
  ToolDevelopmentRead,
  ToolDevelopmentResponse,
  ToolEventRead,
  ToolEventResponse,
} from './development-schema.js';
import { ToolArtifactRead, ToolArtifactResponse, ToolExecutorResponse } from './schema.js';
import { findArtifact, findDevelopment, findDevelopmentEvent, findExecutor } from './tool-store.js';

/** Returns the tool only if all its digests match. */
export const readToolArtifact = defineTenantOperation({
  ...scopedRead,
  name: 'readToolArtifact',
  summary: 'Read a tool of a scope.',
  example: { document: { ...inExampleScope, artifact_id: 'word-count-1' } },
  tag: 'Tools',
  input: { document: ToolArtifactRead },
  output: ToolArtifactResponse,
  requires: { capability: 'tool_read', scope: ({ document }) => document.scope },
  handler: async ({ runtime, credential, input }) => {
    const { scope, artifact_id: id } = input.document;
    const namespace = namespaceOf(credential, scope);
    const artifact = await runtime.store.read((tx) => findArtifact(tx, namespace, id));
    if (artifact === undefined) throw new AgentkeepError('record_not_found');
    return { contract_version: CONTRACT_VERSION, artifact };
  },
});

/** Requires no grant: executors belong to the tenant. */
export const readToolExecutor = defineTenantOperation({
  name: 'readToolExecutor',
  summary: 'Read an executor of tools.',
  example: { id: 'w1' },
  tag: 'Tools',
  effect: 'read',
  input: { id: ledgerId },
  output: ToolExecutorResponse,
  requires: { capability: 'tool_admin' },
  checks: authorityFirstChecks,
  errors: ['record_not_found'],
  handler: async ({ runtime, credential, input }) => {
    const executor = await runtime.store.read((tx) =>
      findExecutor(tx, credential.tenantId, input.id),
    );
    if (executor === undefined) throw new AgentkeepError('record_not_found');
    return { contract_version: CONTRACT_VERSION, executor };
  },
});

/** Returns the state without its events; see `readToolDevelopmentEvent`. */
export const readToolDevelopment = defineTenantOperation({
  ...scopedRead,
  name: 'readToolDevelopment',
  summary: 'Read where the development of a tool stands.',
  example: { document: { ...inExampleScope, request_id: 'word-count' } },
  tag: 'Tools',
  input: { document: ToolDevelopmentRead },
  output: ToolDevelopmentResponse,
  requires: { capability: 'tool_read', scope: ({ document }) => document.scope },
  handler: async ({ runtime, credential, input }) => {
    const { scope, request_id: id } = input.document;
    const namespace = namespaceOf(credential, scope);
    const development = await runtime.store.read((tx) => findDevelopment(tx, namespace, id));
    if (development === undefined) throw new AgentkeepError('record_not_found');
    return { contract_version: CONTRACT_VERSION, development };
  },
});

/** Events never change. */
export const readToolDevelopmentEvent = defineTenantOperation({
  ...scopedRead,
  name: 'readToolDevelopmentEvent',
  summary: 'Read an event of the development of a tool, with the state after it.',
  example: { document: { ...inExampleScope, request_id: 'word-count', event_id: 'report-1' } },
  tag: 'Tools',
  input: { document: ToolEventRead },
  output: ToolEventResponse,
  requires: { capability: 'tool_read', scope: ({ document }) => document.scope },
  handler: async ({ runtime, credential, input }) => {
    const { scope, request_id: requestId, event_id: eventId } = input.document;
    const namespace = namespaceOf(credential, scope);
    const event = await runtime.store.read((tx) =>
      findDevelopmentEvent(tx, namespace, requestId, eventId),
    );
    if (event === undefined) throw new AgentkeepError('record_not_found');
    return { contract_version: CONTRACT_VERSION, event };
  },
});
