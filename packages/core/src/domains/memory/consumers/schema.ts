/** Schemas of the documents of consumers (docs/contract/consumers.md). */
import * as v from 'valibot';
import { Scope } from '../../../kernel/access/scope.js';
import {
  CHANGE_CURSOR_CHARS,
  CHANGES_LIMIT_DEFAULT,
  CHANGES_LIMIT_MAX,
  CHANGES_WAIT_MILLIS_MAX,
} from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import {
  answeredVersion,
  boundedInteger,
  contractVersion,
  integer,
} from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { ChangeCursor, ChangePage } from '../changes/schema.js';
import {
  CONSUMERS_OF_SUBJECT_MAX,
  LEASE_SECONDS_DEFAULT,
  LEASE_SECONDS_MAX,
} from './consumer-store.js';

/** Names a worker, which chooses it: unlike that of every other worker, such as a UUID. */
const holder = () => textId();
const leaseSeconds = () =>
  v.optional(boundedInteger(1, LEASE_SECONDS_MAX, 0), LEASE_SECONDS_DEFAULT);

/** The body of `claimConsumer`. */
export const ClaimRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    holder: holder(),
    lease_seconds: leaseSeconds(),
    /** Only changes in this scope; null for all that its subject may read. */
    scope: orNull(Scope),
    /** Where a new consumer begins: with the oldest change that is kept, or after the latest. */
    start: v.optional(v.picklist(['oldest', 'latest']), 'oldest'),
    /** Whether an old one begins there again. */
    restart: v.optional(v.boolean(), false),
  }),
  named('ClaimRequest'),
);

/** The body of `readConsumer`. */
export const ConsumerReadRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    holder: holder(),
    limit: v.optional(boundedInteger(1, CHANGES_LIMIT_MAX, 0), CHANGES_LIMIT_DEFAULT),
    wait_millis: v.optional(boundedInteger(0, CHANGES_WAIT_MILLIS_MAX, 0), 0),
  }),
  named('ConsumerReadRequest'),
);

/** The body of `commitConsumer`. */
export const ConsumerCommitRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    holder: holder(),
    /** The `next_after` of the page, or the cursor of one of its changes. */
    cursor: v.pipe(v.string(), v.maxLength(CHANGE_CURSOR_CHARS)),
    lease_seconds: leaseSeconds(),
  }),
  named('ConsumerCommitRequest'),
);

/** The body of `releaseConsumer`. */
export const ConsumerReleaseRequest = v.pipe(
  closed({ contract_version: contractVersion(), holder: holder() }),
  named('ConsumerReleaseRequest'),
);

/** The query of the other operations. */
export const ConsumerParameters = closed({ contract_version: contractVersion() });

/** A consumer in answers. */
export const Consumer = v.pipe(
  closed({
    name: textId(),
    scope: v.nullable(Scope),
    /** Where it goes on. */
    position: ChangeCursor,
    created_at_millis: integer(),
    /** When its position was last committed; null before the first time. */
    committed_at_millis: v.nullable(integer()),
    /** Who holds it, and until when; null where nobody does. */
    lease: v.nullable(
      v.pipe(closed({ holder: textId(), until_millis: integer() }), named('ConsumerLease')),
    ),
  }),
  named('Consumer'),
);
export type Consumer = v.InferOutput<typeof Consumer>;

/** The answer with a consumer. */
export const ConsumerResponse = v.pipe(
  closed({ contract_version: answeredVersion, consumer: Consumer }),
  named('ConsumerResponse'),
);

/** The answer of `listConsumers`. */
export const ConsumersResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    consumers: v.pipe(v.array(Consumer), v.maxLength(CONSUMERS_OF_SUBJECT_MAX)),
  }),
  named('ConsumersResponse'),
);

/** The answer of `readConsumer`. */
export const ConsumerPageResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    /** The same each time that the page is read, and that of no other page. */
    page_id: v.pipe(v.string(), v.length(22)),
    page: ChangePage,
  }),
  named('ConsumerPageResponse'),
);
export type ConsumerPage = v.InferOutput<typeof ConsumerPageResponse>;

/** The answer of `deleteConsumer`. */
export const DeletedConsumerResponse = v.pipe(
  closed({ contract_version: answeredVersion, deleted: v.literal(true) }),
  named('DeletedConsumerResponse'),
);
