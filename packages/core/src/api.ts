/**
 * The API of agents and administrators, errors, and the types of documents. It is the same embedded
 * and of a server, and loads no store, no validator and no module of Node.js.
 */
export { Administrator } from './clients/administrator.js';
export { Agent } from './clients/agent.js';
export type { AuditFilter } from './clients/audit-client.js';
export type { CallOperation, CallOptions, OutputOf, PartsOf } from './clients/call.js';
export { consolidate, type ChangedMemory } from './clients/consuming/consolidate.js';
export type { Embed } from './clients/embeddings.js';
export type { NewSecret } from './clients/credential-client.js';
export { evaluate, type RunContext } from './clients/evaluating/evaluate.js';
export type { RunResult } from './clients/evaluating/recorded-run.js';
export type { LearningClient } from './clients/learning-client.js';
export type {
  InstallationLogin,
  LoggedIn,
  LoggedInAdministrator,
  OpenedAdministratorSession,
  OpenedSession,
} from './clients/logged-in.js';
export type {
  CommandOptions,
  QueryFilterInput,
  QueryOptions,
  RecordTarget,
  SearchOptions,
} from './clients/memory-options.js';
export type { Recollection } from './clients/recalling/recollection.js';
export type { ScopedMemory } from './clients/scoped-memory.js';
export type { ShownRateLimit } from './clients/rate-limit-client.js';
export type { LoginInput, LoginTokens } from './clients/session-client.js';
export type { LoginAccount, User } from './people/account/schema.js';
export type { ApiKey, CreatedApiKey } from './people/api-key/schema.js';
export type { Capability } from './access/capability.js';
export type { GlobalCapability } from './access/global-capability.js';
export type {
  CompanyScopePolicy,
  MemoryScope,
  MemoryScopeInput,
  Scope,
  ScopeInput,
  Selector,
} from './access/scope.js';
export type {
  Credential,
  CredentialEvent,
  CredentialSpecInput,
  IssuedCredential,
} from './identity/credential/schema.js';
export type { AuditEvent, AuditPage } from './administration/audit/schema.js';
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
} from './identity/global-credential/schema.js';
export type {
  ExperienceEvent,
  ExperienceHistoryCursor,
  ExperienceReceipt,
} from './learning/experience/schema.js';
export { planEvaluation } from './learning/planning/plan-evaluation.js';
export type {
  AdmissionReceipt,
  EvaluationSubmissionInput,
} from './learning/procedure/evaluation-schema.js';
export type { LearningProposal } from './learning/procedure/procedure-schema.js';
export type { EvaluationContext, PolicyDefinition } from './learning/policy/schema.js';
export type { LockoutStatus } from './people/lockout/schema.js';
export type { ChangePage, CommittedChange } from './memory/changes/schema.js';
export type {
  BatchCommand,
  BatchReceipt,
  EpisodeType,
  MemoryChangeInput,
  MemoryRecord,
  MemoryRevision,
  Receipt,
  RecordInput,
} from './memory/documents/schema.js';
export type { QueryPage } from './memory/documents/query-schema.js';
export type {
  SearchFilterInput,
  SearchMatch,
  SearchOrder,
  SearchPage,
  SearchVectorInput,
} from './memory/search/documents/schema.js';
export type {
  ToolDevelopment,
  ToolDevelopmentReportInput,
} from './learning/tool/development-schema.js';
export type { ToolArtifactProposalInput, ToolExecutor } from './learning/tool/schema.js';
export { CONTRACT_DOCUMENT_VERSION, CONTRACT_VERSION } from './contract/version.js';
export type { OperationName } from './operations.js';
export type {
  CountedBy,
  SearchCounts,
  WantedCountsInput,
} from './memory/search/documents/counts-schema.js';
export type { WordFilterInput } from './memory/search/documents/schema.js';
