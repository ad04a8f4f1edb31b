/**
 * The API of agents and administrators, errors, and the types of documents. It is the same embedded
 * and of a server, and loads no store, no validator and no module of Node.js.
 */
export { Administrator } from './clients/administrator.js';
export type { DirectoryRequest } from './clients/directory-request.js';
export type {
  GlobalCredentialClient,
  GlobalCredentialPage,
  GlobalCredentialSpecInput,
  NewGlobalSecret,
} from './clients/global-credential-client.js';
export type {
  NewTenantAdmin,
  QuotaToSet,
  RegisteredTenant,
  TenantClient,
  TenantEntry,
  TenantPage,
  TenantQuota,
  TenantToRegister,
} from './clients/tenant-client.js';
export { Agent } from './clients/agent.js';
export type { AuditClient, AuditEventPage, AuditFilter } from './clients/audit-client.js';
export type { ApiKeyClient, NewApiKeyOptions } from './clients/api-key-client.js';
export type { CallOptions } from './clients/call.js';
export type { Embed, EmbeddingReport, EmbedRequest } from './clients/embeddings.js';
export type { HistoryRequest } from './clients/history-walk.js';
export type { CredentialClient, CredentialPage, NewSecret } from './clients/credential-client.js';
export type { LearningClient, SelectOptions } from './clients/learning-client.js';
export type { ExperienceClient, HistoryOptions } from './clients/experience-client.js';
export type {
  LockedName,
  LockoutClient,
  LockoutOptions,
  LockoutPage,
} from './clients/lockout-client.js';
export type {
  LoginAccountClient,
  LoginAccountPage,
  NewLoginAccount,
} from './clients/login-account-client.js';
export type {
  InstallationLogin,
  LoggedIn,
  LoggedInAdministrator,
  OpenedAdministratorSession,
  OpenedSession,
} from './clients/logged-in.js';
export type { PlatformSession } from './clients/platform-login.js';
export type {
  ChangeOptions,
  ChangePageOptions,
  CommandOptions,
  MemoryQuery,
  NamedOptions,
  NamedRecord,
  NamedTarget,
  OldRevision,
  QueryFilterInput,
  QueryOptions,
  ReadOptions,
  RecordTarget,
  RevisionsOptions,
  RevisionsPageOptions,
  SearchCountOptions,
  SearchOptions,
  SearchTextVector,
} from './clients/memory-options.js';
export type { AgentMemory as MemoryClient } from './clients/scope-first-memory.js';
export type { ScopedMemory } from './clients/scoped-memory.js';
export type {
  MemoryRetention,
  RetentionClient,
  RetentionTarget,
} from './clients/retention-client.js';
export type { RetentionInput } from './memory/retention/retention-schema.js';
export type {
  NewWebhook,
  ShownWebhookSecret,
  WebhookClient,
  WebhookSettingsInput,
} from './clients/webhook-client.js';
export type { Webhook, WebhookDeadLetter } from './webhooks/schema.js';
export type {
  NewRateLimit,
  RateLimitChange,
  RateLimitClient,
  RateLimitPage,
  ShownRateLimit,
} from './clients/rate-limit-client.js';
export type {
  LoginInput,
  LoginTokens,
  RefreshedToken,
  RefreshOptions,
  RevokeAllOptions,
  SessionClient,
} from './clients/session-client.js';
export type { LoginAccount, User } from './people/account/schema.js';
export type { DevelopmentTarget, ToolClient } from './clients/tool-client.js';
export type { ApiKey, ApiKeyList, CreatedApiKey } from './people/api-key/schema.js';
export type { CompleteSnapshot, NewSnapshot, SnapshotClient } from './clients/snapshot-client.js';
export type { ServiceStats, StatsClient } from './clients/stats-client.js';
export type { AuthorityOptions, UserClient, UserMembers, UserPage } from './clients/user-client.js';
export type { Capability } from './access/capability.js';
export type { GlobalCapability } from './access/global-capability.js';
export type { CompanyScopePolicy, Scope, ScopeInput, Selector } from './access/scope.js';
export type {
  Credential,
  CredentialEvent,
  CredentialSpec,
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
  GlobalCredentialSpec,
  IssuedGlobalCredential,
} from './identity/global-credential/schema.js';
export type {
  Experience,
  ExperienceCommandInput,
  ExperienceEvent,
  ExperienceHistoryCursor,
  ExperienceHistoryPage,
  ExperienceReceipt,
  ExperienceRequestInput,
} from './learning/experience/schema.js';
export type {
  AdmissionReceipt,
  EvaluationSubmission,
  EvaluationSubmissionInput,
} from './learning/procedure/evaluation-schema.js';
export type {
  LearningProposal,
  LearningSelection,
  Procedure,
  ProcedureRecord,
  ProposalReceipt,
} from './learning/procedure/procedure-schema.js';
export type {
  ContextEntry,
  EvaluationContext,
  PolicyDefinition,
  PolicyEntry,
} from './learning/procedure/schema.js';
export type { LockoutStatus } from './people/lockout/schema.js';
export type { ChangePage, CommittedChange } from './memory/changes/schema.js';
export type {
  BatchCommand,
  BatchReceipt,
  EpisodeType,
  MemoryChangeInput,
  MemoryRecord,
  MemoryRevision,
  QueryPage,
  Receipt,
  RecordInput,
  RevisionsPage,
} from './memory/documents/schema.js';
export type {
  SearchFilter,
  SearchFilterInput,
  SearchMatch,
  SearchOrder,
  SearchPage,
  SearchVectorInput,
} from './memory/search/documents/schema.js';
export type { NewUser } from './people/user/schema.js';
export type {
  ToolDevelopment,
  ToolDevelopmentEvent,
  ToolDevelopmentReceipt,
  ToolDevelopmentReportInput,
  ToolDevelopmentRequestInput,
} from './learning/tool/development-schema.js';
export type {
  ToolArtifact,
  ToolArtifactProposalInput,
  ToolExecutor,
  ToolExecutorProfile,
} from './learning/tool/schema.js';
export { CONTRACT_DOCUMENT_VERSION, CONTRACT_VERSION } from './contract/version.js';
export type { OperationName } from './operations.js';
export type {
  CountedBy,
  SearchCounts,
  WantedCountsInput,
} from './memory/search/documents/counts-schema.js';
export type { SearchExplanation } from './memory/search/documents/explanation-schema.js';
export type { WordFilterInput } from './memory/search/documents/schema.js';
