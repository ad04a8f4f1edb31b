/** Schemas of the documents of rate limit policies (docs/contract/rate-limits.md#rtl-7). */
import * as v from 'valibot';
import {
  ACCOUNT_LIST_LIMIT_MAX,
  RATE_LIMIT_REQUESTS_MAX,
  RATE_LIMIT_WINDOW_SECS_MAX,
} from '../../contract/limits.js';
import { closed } from '../../contract/schema/document.js';
import { describedAs, named } from '../../contract/schema/json-schema.js';
import { boundedInteger, integer } from '../../contract/schema/number.js';
import { textId } from '../../contract/schema/text.js';
import { shownTime } from '../../contract/schema/time.js';
import { uuid } from '../../contract/schema/uuid.js';
import { isCustomPath, namedEndpointTypes } from '../rate-limit/rate-limit-policy.js';

/** The calls that a policy limits. */
const EndpointTypeDocument = v.pipe(
  v.union([
    v.picklist(namedEndpointTypes),
    closed({
      Custom: v.pipe(
        v.string(),
        v.check(isCustomPath, 'a path such as /api/v1/memory, without query and trailing slash'),
        describedAs({
          type: 'string',
          pattern: '^(/[^/?]+)+$',
          description:
            'A path and all below it, by whole segments: begins with `/`, no final `/`, no query, no empty segment, at most 256 UTF-8 bytes.',
        }),
      ),
    }),
  ]),
  named('RateLimitEndpointType'),
);

const maxRequests = () => boundedInteger(1, RATE_LIMIT_REQUESTS_MAX);
const windowSecs = () => boundedInteger(1, RATE_LIMIT_WINDOW_SECS_MAX);

/** The request body of `createRateLimit`. */
export const CreateRateLimitRequest = v.pipe(
  closed({
    name: textId(),
    endpoint_type: EndpointTypeDocument,
    max_requests: maxRequests(),
    window_secs: windowSecs(),
    enabled: v.optional(v.boolean(), true),
  }),
  named('CreateRateLimitRequest'),
);
export type CreateRateLimitRequest = v.InferOutput<typeof CreateRateLimitRequest>;

/** The request body of `updateRateLimit`. Absent members stay unchanged. */
export const UpdateRateLimitRequest = v.pipe(
  closed({
    name: v.optional(textId()),
    max_requests: v.optional(maxRequests()),
    window_secs: v.optional(windowSecs()),
    enabled: v.optional(v.boolean()),
    /** The revision that is changed. Absent changes any. */
    expected_revision: v.optional(integer()),
  }),
  named('UpdateRateLimitRequest'),
);
export type UpdateRateLimitRequest = v.InferOutput<typeof UpdateRateLimitRequest>;

/** A policy, as responses show it. */
export const RateLimitPolicyDocument = v.pipe(
  closed({
    id: uuid(),
    name: textId(),
    endpoint_type: EndpointTypeDocument,
    max_requests: maxRequests(),
    window_secs: windowSecs(),
    enabled: v.boolean(),
    created_at: shownTime(),
    updated_at: shownTime(),
    created_by: v.string(),
    /** 1, and one more after each change. */
    revision: integer(),
  }),
  named('RateLimitPolicy'),
);
export type RateLimitPolicyDocument = v.InferOutput<typeof RateLimitPolicyDocument>;

/** A page of policies, newest first. */
export const RateLimitPolicyList = v.pipe(
  closed({
    policies: v.pipe(v.array(RateLimitPolicyDocument), v.maxLength(ACCOUNT_LIST_LIMIT_MAX)),
    next_cursor: v.nullable(v.string()),
  }),
  named('RateLimitPolicyList'),
);
export type RateLimitPolicyList = v.InferOutput<typeof RateLimitPolicyList>;
