/**
 * The API of agents and administrators, errors, and the types of documents. It is the same embedded
 * and of a server, and loads no store, no validator and no module of Node.js.
 */
export { Administrator } from './client/administrator.js';
export { Agent } from './client/agent.js';
export type { AuditFilter } from './client/audit-client.js';
export type { CallOperation, CallOptions, OutputOf, PartsOf } from './client/call.js';
export { consolidate, type ChangedMemory } from './client/consuming/consolidate.js';
export type { Embed } from './client/embeddings.js';
export type { NewSecret } from './client/credential-client.js';
export { evaluate, type RunContext } from './client/evaluating/evaluate.js';
export type { RunResult } from './client/evaluating/recorded-run.js';
export type { LearningClient } from './client/learning-client.js';
export type {
  InstallationLogin,
  LoggedIn,
  LoggedInAdministrator,
  OpenedAdministratorSession,
  OpenedSession,
} from './client/logged-in.js';
export type {
  CommandOptions,
  QueryFilterInput,
  QueryOptions,
  RecordTarget,
  SearchOptions,
} from './client/memory-options.js';
export type { Recollection } from './client/recalling/recollection.js';
export type { ScopedMemory } from './client/scoped-memory.js';
export type { ShownRateLimit } from './client/rate-limit-client.js';
export type { LoginInput, LoginTokens } from './client/session-client.js';
export type { LoginAccount, User } from './domains/people/account/schema.js';
export type { ApiKey, CreatedApiKey } from './domains/people/api-key/schema.js';
export type { Capability } from './kernel/access/capability.js';
export type { GlobalCapability } from './kernel/access/capability.js';
export type {
  CompanyScopePolicy,
  MemoryScope,
  MemoryScopeInput,
  Scope,
  ScopeInput,
  Selector,
} from './kernel/access/scope.js';
export type {
  Credential,
  CredentialEvent,
  CredentialSpecInput,
  IssuedCredential,
} from './domains/tenancy/credential/schema.js';
export type { AuditEvent, AuditPage } from './kernel/audit-log/schema.js';
export {
  AgentkeepError,
  type ErrorDetails,
  type RefusedMember,
} from './contract/errors/agentkeep-error.js';
export { errorCatalogue, type ErrorCode, type ErrorKind } from './contract/errors/catalogue.js';
export type {
  GlobalCredential,
  GlobalCredentialEvent,
  IssuedGlobalCredential,
} from './domains/tenancy/global-credential/schema.js';
export type {
  ExperienceEvent,
  ExperienceHistoryCursor,
  ExperienceReceipt,
} from './domains/learning/experience/schema.js';
export { planEvaluation } from './domains/learning/planning/plan-evaluation.js';
export type {
  AdmissionReceipt,
  EvaluationSubmissionInput,
} from './domains/learning/procedure/evaluation-schema.js';
export type { LearningProposal, Procedure } from './domains/learning/procedure/procedure-schema.js';
export type { EvaluationContext, PolicyDefinition } from './domains/learning/policy/schema.js';
export type { LockoutStatus } from './domains/people/lockout/schema.js';
export type { ChangePage, CommittedChange } from './domains/memory/changes/schema.js';
export type {
  BatchCommand,
  BatchReceipt,
  EpisodeType,
  MemoryChangeInput,
  MemoryRecord,
  Receipt,
  RecordInput,
} from './domains/memory/documents/schema.js';
export type { MemoryRevision } from './domains/memory/documents/revision-schema.js';
export type { QueryPage } from './domains/memory/documents/query-schema.js';
export type {
  SearchFilterInput,
  SearchMatch,
  SearchOrder,
  SearchPage,
  SearchVectorInput,
} from './domains/memory/search/documents/schema.js';
export type {
  ToolDevelopment,
  ToolDevelopmentReportInput,
} from './domains/learning/tool/development-schema.js';
export type { ToolArtifactProposalInput, ToolExecutor } from './domains/learning/tool/schema.js';
export { CONTRACT_DOCUMENT_VERSION, CONTRACT_VERSION } from './contract/version.js';
export type { OperationName } from './domains.js';
export type {
  CountedBy,
  SearchCounts,
  WantedCountsInput,
} from './domains/memory/search/documents/counts-schema.js';
export type { WordFilterInput } from './domains/memory/search/documents/schema.js';
