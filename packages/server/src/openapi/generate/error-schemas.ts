/**
 * The bodies that report errors: plain ones, and those that tell more than code and message.
 *
 * @module
 */
import { AgentkeepError, CONTRACT_VERSION, type ErrorCode } from '@agentkeep/core';
import type { SchemaNode } from '../openapi-document.js';
import { bodySchemas, type ErrorsByStatus, plainCodes } from './errors.js';

type Properties = Readonly<Record<string, SchemaNode>>;

const message = {
  type: 'string',
  description: 'What happened and what to do next, for people. It echoes no input.',
};
const count = { type: 'integer', minimum: 0 };
const locked = { type: 'boolean', const: true };
const time = { type: 'string', format: 'date-time' };

/** What a lock tells; a manual one has no end. */
const lock: Properties = {
  locked,
  lockout_expires: { ...time, type: ['string', 'null'] },
  lockout_remaining_seconds: { ...count, type: ['integer', 'null'] },
};

/** What a failed login tells; the members of a lock only where it has just fallen. */
const failedLogin: Properties = { failed_attempts: count, remaining_attempts: count };
const fallenLock: Properties = { locked, lockout_expires: time, lockout_remaining_seconds: count };

/** The schemas of the error bodies that occur, given the errors of all operations. */
export function errorSchemas(all: readonly ErrorsByStatus[]): Record<string, SchemaNode> {
  const used = bodySchemas(all);
  return Object.fromEntries(Object.entries(everySchema(all)).filter(([name]) => used.has(name)));
}

function everySchema(all: readonly ErrorsByStatus[]): Record<string, SchemaNode> {
  return {
    Error: enveloped({ enum: plainCodes(all, 'platform') }),
    FlatError: flat({ enum: plainCodes(all, 'account') }),
    RateLimited: flat(exactly('rate_limit_exceeded'), {
      limit: { ...count, description: 'Requests that the window allows.' },
      remaining: { ...count, description: 'Requests that are left.' },
      reset_in_seconds: { ...count, description: 'Seconds until the bucket is full again.' },
    }),
    LoginFailed: flat(exactly('invalid_login'), failedLogin, fallenLock),
    LoginFailedError: enveloped(exactly('invalid_login'), failedLogin, fallenLock),
    AccountLocked: flat(exactly('account_locked'), lock),
    AccountLockedError: enveloped(exactly('account_locked'), lock),
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
): SchemaNode {
  const error = closedObject({ code: { type: 'string', ...code }, message });
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
