/** An example of each error body: the code with its message, as an operation answers it. */
import { AgentkeepError, CONTRACT_VERSION, type ErrorCode } from '../../packages/core/src/index.ts';
import type { Surface } from '../../packages/client/src/routes.ts';

/** The further members of the bodies that have some. */
const furtherMembers: { readonly [C in ErrorCode]?: Readonly<Record<string, unknown>> } = {
  rate_limit_exceeded: { limit: 600, remaining: 0, reset_in_seconds: 12 },
  use_dpop_nonce: { dpop_nonce: 'jNpCqTgTzv0kqYlb2Sj4Hw' },
  invalid_login: { failed_attempts: 1, remaining_attempts: 4 },
  account_locked: {
    locked: true,
    lockout_expires: '2026-01-01T00:15:00Z',
    lockout_remaining_seconds: 900,
  },
  lockout_not_found: { success: false },
  history_gone: { complete_from_millis: 1767225600000 },
};

/** Returns the body of an error on a surface. A rate limit refusal is flat on both. */
export function errorExample(
  surface: Surface,
  error: ErrorCode,
): Readonly<Record<string, unknown>> {
  const { wireCode: code, message } = new AgentkeepError(error);
  const members = furtherMembers[error] ?? {};
  const isFlat = surface === 'account' || error === 'rate_limit_exceeded';
  return isFlat
    ? { error: code, message, ...members }
    : { contract_version: CONTRACT_VERSION, error: { code, message }, ...members };
}
