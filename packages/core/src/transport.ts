/**
 * What a transport needs beside the main entry: reading input, strict JSON, proofs, operations and
 * rate limits. `operator.ts` exports it. A program that embeds Agentkeep needs none of it.
 */
export type { CallerProof, Principal } from './access/principal.js';
export { batchesOf } from './clients/batches-of.js';
export { hmacSha256 } from './contract/digest.js';
export { deepFreeze } from './contract/deep-freeze.js';
export { DOCUMENT_BYTES_MAX } from './contract/limits.js';
export { CLIENT_ID_CHARS_MAX } from './identity/credential/connection-limits.js';
export { InvalidJsonError, parseJson, type ParsedJson } from './contract/schema/json.js';
export { escapedUnseen } from './contract/schema/unseen.js';
export { JsonText } from './contract/schema/json-text.js';
export { integerMembers } from './contract/schema/json-schema.js';
export { memberNamed } from './contract/schema/refused-member.js';
export { redactSecrets } from './contract/schema/redact-secrets.js';
export { runtimeOf } from './keep.js';
export { ACCESS_NAMES, type ProgramAccess } from './identity/credential/connected-program.js';
export { programName } from './people/connection/program-name.js';
export { givableAccess, isGivableScope } from './people/connection/connection-policy.js';
export type { GrantKind } from './people/connection/found-grants.js';
export { formatGrantSecret } from './people/connection/grant-secret.js';
export type { GrantCall, Grants } from './people/connection/grants.js';
export { checkTokenOptions } from './people/token/token-options.js';
export {
  defaultRateLimitPolicies,
  type EndpointType,
  type RateLimitPolicy,
} from './runtime/rate-limit/rate-limit-policy.js';
export { RateLimiter } from './runtime/rate-limit/rate-limiter.js';
export type { CallOrigin } from './runtime/audit/audit.js';
export type { AttemptedProof } from './runtime/audit/call-events.js';
export {
  embeddedInput,
  type InputSource,
  type TypedPart,
  typedPart,
} from './runtime/input/input.js';
export type { Call } from './runtime/operation/call.js';
export type { HeavyCall } from './runtime/load/heavy-work.js';
export { mayTakeSlot } from './runtime/load/slot-policy.js';
export { type Party, partyOf, unprovedParty } from './runtime/load/party.js';
export { type UnreadAnswer, UnreadAnswers } from './runtime/load/unread-answers.js';
export type { HeldWait } from './runtime/load/change-feed.js';
export {
  type AuthenticatedOperation,
  needsScope,
  mayExceedQuota,
  type Operation,
} from './runtime/operation/operation.js';
export type { DocumentRule } from './runtime/input/input-rules.js';
export type { Runtime } from './runtime/services/runtime.js';
export { replaceInexactNumbers } from './contract/texts/exact-numbers.js';
export { rfc3339Millis } from './contract/texts/rfc3339.js';
