/**
 * Queries and responses that lists and deletions of the account surface share
 * (docs/contract/conventions.md#con-4).
 */
import * as v from 'valibot';
import { ACCOUNT_LIST_LIMIT_MAX, CURSOR_CHARS_MAX } from '../../contract/limits.js';
import { closed } from '../../contract/schema/document.js';
import { named } from '../../contract/schema/json-schema.js';
import { integer } from '../../contract/schema/number.js';
import { textId } from '../../contract/schema/text.js';

const paging = {
  limit: v.optional(integer(1, ACCOUNT_LIST_LIMIT_MAX), ACCOUNT_LIST_LIMIT_MAX),
  cursor: v.optional(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
};

/** The authority to act in, for administrators of the installation. */
const tenancy = { tenant_id: v.optional(textId()) };

/** Query of a list. */
export const ListParameters = closed(paging);

/** Query of a list that can be for a named tenant. */
export const TenantListParameters = closed({ ...paging, ...tenancy });

/** Query of any other operation that can be for a named tenant. */
export const TenantParameters = closed(tenancy);

/** Response without content to show. */
export const SuccessResponse = v.pipe(
  closed({ success: v.literal(true), message: v.string() }),
  named('SuccessResponse'),
);
export type SuccessResponse = v.InferOutput<typeof SuccessResponse>;

/** Returns the response of a completed action. */
export function succeeded(message: string): SuccessResponse {
  return { success: true, message };
}
