/** Documents of API keys (docs/contract/api-keys.md#key-5). */
import * as v from 'valibot';
import { ACCOUNT_LIST_LIMIT_MAX, API_KEY_DAYS_MAX } from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { describedAs, named } from '../../../contract/schema/json-schema.js';
import { integer } from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { shownTime } from '../../../contract/schema/time.js';
import { uuid } from '../../../contract/schema/uuid.js';

/** Request for a new API key. */
export const CreateApiKeyRequest = v.pipe(
  closed({
    /** Helps people to distinguish keys; need not be unique. */
    name: textId(),
    /** Days until the key expires; absent or null for never. */
    expires_in_days: orNull(integer(1, API_KEY_DAYS_MAX)),
  }),
  named('CreateApiKeyRequest'),
);

/** Names the API key to revoke. */
export const RevokeApiKeyRequest = v.pipe(closed({ key_id: uuid() }), named('RevokeApiKeyRequest'));

const shownPrefix = () =>
  v.pipe(v.string(), describedAs({ type: 'string', pattern: '^ak_live_[0-9A-Za-z]{4}$' }));

/** Response that delivers an API key, once. */
export const CreatedApiKey = v.pipe(
  closed({
    key: v.pipe(v.string(), v.regex(/^ak_live_[0-9A-Za-z]{38}$/)),
    id: uuid(),
    prefix: shownPrefix(),
    name: textId(),
    created_at: shownTime(),
    expires_at: v.nullable(shownTime()),
  }),
  named('CreatedApiKey'),
);
export type CreatedApiKey = v.InferOutput<typeof CreatedApiKey>;

/** An API key as lists show it: never the key itself. */
export const ApiKey = v.pipe(
  closed({
    id: uuid(),
    name: textId(),
    prefix: shownPrefix(),
    created_at: shownTime(),
    expires_at: v.nullable(shownTime()),
    /** Behind by up to a minute. */
    last_used: v.nullable(shownTime()),
    /** False once the key has expired. */
    is_active: v.boolean(),
  }),
  named('ApiKey'),
);
export type ApiKey = v.InferOutput<typeof ApiKey>;

/** A page of API keys, newest first. */
export const ApiKeyList = v.pipe(
  closed({
    keys: v.pipe(v.array(ApiKey), v.maxLength(ACCOUNT_LIST_LIMIT_MAX)),
    next_cursor: v.nullable(v.string()),
  }),
  named('ApiKeyList'),
);
export type ApiKeyList = v.InferOutput<typeof ApiKeyList>;
