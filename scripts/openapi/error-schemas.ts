/** The schemas of error bodies: plain ones, and those with more than code and message. */
import { AgentkeepError, CONTRACT_VERSION, type ErrorCode } from '../../packages/core/src/index.ts';
import { MEMBERS_MAX } from '../../packages/core/src/contract/errors/agentkeep-error.ts';
import type { SchemaNode } from '../../packages/server/src/openapi/openapi-document.ts';
import { bodySchemas, type ErrorsByStatus, plainCodes } from './errors.ts';

type Properties = Readonly<Record<string, SchemaNode>>;

const message = {
  type: 'string',
  description: 'What happened and what to do next, for people. It never echoes input.',
};
const count = { type: 'integer', minimum: 0 };
const locked = { type: 'boolean', const: true };
const time = { type: 'string', format: 'date-time' };

/** The refused members of a 400. */
const members = {
  type: 'array',
  maxItems: MEMBERS_MAX,
  description: 'For a 400: the members that were refused, without the values that were sent.',
  items: closedObject({
    path: { type: 'string', description: 'Dotted path with `[index]`; empty for the whole input.' },
    expected: { type: 'string', description: 'What was expected, for people.' },
  }),
};

/** The member of a challenge to sign again. */
const nonce: Properties = {
  dpop_nonce: {
    type: 'string',
    minLength: 1,
    description: 'The `nonce` of the next proof; the header `DPoP-Nonce` repeats it.',
  },
};

/** Members about a lock; a manual one has no end. */
const lock: Properties = {
  locked,
  lockout_expires: { ...time, type: ['string', 'null'] },
  lockout_remaining_seconds: { ...count, type: ['integer', 'null'] },
};

/** Members about a failed login; those of a lock only when this failure caused it. */
const failedLogin: Properties = { failed_attempts: count, remaining_attempts: count };
const newLock: Properties = { locked, lockout_expires: time, lockout_remaining_seconds: count };

/** Returns the schemas of the error bodies that the given errors use. */
export function errorSchemas(all: readonly ErrorsByStatus[]): Record<string, SchemaNode> {
  const used = bodySchemas(all);
  return Object.fromEntries(Object.entries(everySchema(all)).filter(([name]) => used.has(name)));
}

function everySchema(all: readonly ErrorsByStatus[]): Record<string, SchemaNode> {
  return {
    Error: enveloped({ enum: plainCodes(all, 'platform') }, {}, {}, { members }),
    FlatError: flat({ enum: plainCodes(all, 'account') }, {}, { members }),
    RateLimited: flat(exactly('rate_limit_exceeded'), {
      limit: { ...count, description: 'Requests allowed in the window.' },
      remaining: { ...count, description: 'Requests left.' },
      reset_in_seconds: { ...count, description: 'Seconds until the bucket is full again.' },
    }),
    UseDpopNonce: flat(exactly('use_dpop_nonce'), nonce),
    UseDpopNonceError: enveloped(exactly('use_dpop_nonce'), nonce),
    LoginFailed: flat(exactly('invalid_login'), failedLogin, newLock),
    LoginFailedError: enveloped(exactly('invalid_login'), failedLogin, newLock),
    AccountLocked: flat(exactly('account_locked'), lock),
    AccountLockedError: enveloped(exactly('account_locked'), lock),
    HistoryGoneError: enveloped(exactly('history_gone'), {
      complete_from_millis: { ...count, description: 'When nothing is missing any more.' },
    }),
    LockoutNotFound: flat(exactly('lockout_not_found'), {
      success: { type: 'boolean', const: false },
    }),
  };
}

function exactly(code: ErrorCode): SchemaNode {
  return { const: new AgentkeepError(code).wireCode };
}

function flat(code: SchemaNode, required: Properties = {}, optional: Properties = {}): SchemaNode {
  return closedObject({ error: { type: 'string', ...code }, message, ...required }, optional);
}

function enveloped(
  code: SchemaNode,
  required: Properties = {},
  optional: Properties = {},
  inError: Properties = {},
): SchemaNode {
  const error = closedObject({ code: { type: 'string', ...code }, message }, inError);
  const contract_version = { type: 'integer', const: CONTRACT_VERSION };
  return closedObject({ contract_version, error, ...required }, optional);
}

function closedObject(required: Properties, optional: Properties = {}): SchemaNode {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    additionalProperties: false,
    required: Object.keys(required),
  };
}
