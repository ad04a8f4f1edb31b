/**
 * What a transport needs beside the main entry: reading input, strict JSON, proofs, operations and
 * rate limits. `operator.ts` exports it. A program that embeds Agentkeep needs none of it.
 */
export type { CallerProof, Principal } from './kernel/access/principal.js';
export { batchesOf } from './client/batches-of.js';
export { hmacSha256 } from './contract/digest.js';
export { deepFreeze } from './contract/deep-freeze.js';
export { DOCUMENT_BYTES_MAX } from './contract/limits.js';
export { CLIENT_ID_CHARS_MAX } from './domains/tenancy/credential/connected-program.js';
export { InvalidJsonError, parseJson, type ParsedJson } from './contract/schema/json.js';
export { escapedUnseen } from './contract/schema/unseen.js';
export { integerMembers } from './contract/schema/json-schema.js';
export { memberNamed } from './contract/schema/refused-member.js';
export { redactSecrets } from './contract/schema/escaped-text.js';
export { runtimeOf } from './keep/keep.js';
export {
  ACCESS_NAMES,
  type ProgramAccess,
} from './domains/tenancy/credential/connected-program.js';
export { programName } from './domains/people/connection/approve-connection.js';
export { givableAccess, isGivableScope } from './domains/people/connection/connection-policy.js';
export type { GrantKind } from './domains/people/connection/found-grants.js';
export { formatGrantSecret } from './domains/people/connection/grant-secret.js';
export type { GrantCall, Grants } from './domains/people/connection/grants.js';
export { checkTokenOptions } from './domains/people/token/token-options.js';
export {
  defaultRateLimitPolicies,
  type EndpointType,
  type RateLimitPolicy,
} from './kernel/rate-limit/rate-limit-policy.js';
export { RateLimiter } from './kernel/rate-limit/rate-limiter.js';
export type { CallOrigin } from './kernel/audit/audit.js';
export type { AttemptedProof } from './kernel/audit/call-events.js';
export { embeddedInput, type InputSource } from './kernel/input/input.js';
export type { Call } from './kernel/operation/call.js';
export type { HeavyCall } from './kernel/load/heavy-work.js';
export { mayTakeSlot } from './kernel/load/party.js';
export { type Party, partyOf, unprovedParty } from './kernel/load/party.js';
export { type UnreadAnswer, UnreadAnswers } from './kernel/load/unread-answers.js';
export type { HeldWait } from './kernel/load/held-texts.js';
export {
  type AuthenticatedOperation,
  needsScope,
  mayExceedQuota,
  type Operation,
} from './kernel/operation/operation.js';
export type { DocumentRule } from './kernel/input/input-rules.js';
export { replaceInexactNumbers } from './contract/texts/exact-numbers.js';
export { rfc3339Millis } from './contract/texts/rfc3339.js';
