/** Schemas of the documents of webhooks (docs/contract/webhooks.md). */
import * as v from 'valibot';
import { Scope } from '../../kernel/access/scope.js';
import {
  CHANGE_CURSOR_CHARS,
  WEBHOOK_DEAD_LETTERS_MAX,
  WEBHOOK_OVERLAP_SECONDS_DEFAULT,
  WEBHOOK_OVERLAP_SECONDS_MAX,
  WEBHOOK_SCOPES_MAX,
  URL_BYTES_MAX,
  WEBHOOKS_MAX,
} from '../../contract/limits.js';
import { closed, orNull } from '../../contract/schema/document.js';
import { describedAs, named } from '../../contract/schema/json-schema.js';
import {
  answeredVersion,
  boundedInteger,
  contractVersion,
  integer,
} from '../../contract/schema/number.js';
import { textId } from '../../contract/schema/text.js';
import { uuid } from '../../contract/schema/uuid.js';
import { ChangeCursor } from '../memory/changes/schema.js';
import { ProposalState } from '../memory/documents/proposal-schema.js';
import { RecordAction } from '../memory/documents/author-schema.js';
import { isWebUrl } from '../../contract/schema/web-url.js';

const URL_RULE = `an http or https URL without user, password and fragment, of at most ${URL_BYTES_MAX} UTF-8 bytes, also when encoded`;

const isDistinct = (items: readonly unknown[]): boolean => new Set(items).size === items.length;

/** The address of a receiver, as callers write it. */
const ChosenUrl = v.pipe(
  v.string(),
  v.check(isWebUrl, URL_RULE),
  describedAs({
    type: 'string',
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?:[^#\\s]+$',
    maxLength: URL_BYTES_MAX,
    description: `Is ${URL_RULE}. Characters that a URI cannot have are encoded.`,
  }),
);

/** The address of a receiver, in ASCII. */
const WebhookUrl = v.pipe(
  v.string(),
  describedAs({
    type: 'string',
    format: 'uri',
    pattern: '^https?://[^@#]+$',
    maxLength: URL_BYTES_MAX,
    description: 'A URI in ASCII.',
  }),
);

/** The members that callers choose. */
const chosen = {
  /** Unique in the tenant. */
  name: textId(),
  url: ChosenUrl,
  /** Only changes in these scopes; null for all that its owner may read. */
  scopes: orNull(v.pipe(v.array(Scope), v.minLength(1), v.maxLength(WEBHOOK_SCOPES_MAX))),
  /** Only changes of these kinds; null for all of records, and nothing of proposals. */
  actions: orNull(
    v.pipe(
      v.array(v.picklist([...RecordAction.options, ...ProposalState.options])),
      v.minLength(1),
      v.check((items) => isDistinct(items), 'items that differ'),
      describedAs({ uniqueItems: true }),
    ),
  ),
  enabled: v.optional(v.boolean(), true),
};

/** The body that makes a webhook. */
export const CreateWebhookRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    ...chosen,
    /** A cursor of the change feed to continue from. Null: changes from now on. */
    after: orNull(v.pipe(v.string(), v.maxLength(CHANGE_CURSOR_CHARS))),
  }),
  named('CreateWebhookRequest'),
);
export type CreateWebhookRequest = v.InferOutput<typeof CreateWebhookRequest>;

/** The body that replaces what callers choose. */
export const UpdateWebhookRequest = v.pipe(
  closed({ contract_version: contractVersion(), expected_revision: integer(), ...chosen }),
  named('UpdateWebhookRequest'),
);
export type UpdateWebhookRequest = v.InferOutput<typeof UpdateWebhookRequest>;

/** The body that replaces the secret. */
export const RotateWebhookSecretRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    expected_revision: integer(),
    /** How long the present secret signs beside the new one. */
    overlap_seconds: v.optional(
      boundedInteger(0, WEBHOOK_OVERLAP_SECONDS_MAX, 0),
      WEBHOOK_OVERLAP_SECONDS_DEFAULT,
    ),
  }),
  named('RotateWebhookSecretRequest'),
);

/** The body that delivers dead letters again. */
export const ReplayWebhookRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    /** Null for all. */
    dead_letter_id: orNull(uuid()),
  }),
  named('ReplayWebhookRequest'),
);

/** The body that removes a dead letter. */
export const DiscardWebhookRequest = v.pipe(
  closed({ contract_version: contractVersion(), dead_letter_id: uuid() }),
  named('DiscardWebhookRequest'),
);

/** The query parameters of reads. */
export const WebhookParameters = closed({ contract_version: contractVersion() });

/** Why an attempt failed. */
export const failureReasons = [
  'status',
  'timeout',
  'unreachable',
  'tls',
  'address_refused',
  'protocol',
] as const;

/** A failed attempt. */
export const WebhookFailure = v.pipe(
  closed({
    at_millis: integer(),
    reason: v.picklist(failureReasons),
    /** The status of the answer; null without an answer. */
    status: v.nullable(integer(100, 599)),
  }),
  named('WebhookFailure'),
);

/** The progress of a webhook and the state of its attempts. */
export const WebhookDelivery = v.pipe(
  closed({
    state: v.picklist(['active', 'retrying', 'paused', 'unauthorized']),
    /** A cursor of the change feed: delivery continues with the change after it. */
    next_after: ChangeCursor,
    delivered_messages: integer(),
    last_delivered_at_millis: v.nullable(integer()),
    /** Failed attempts of the current message. */
    failed_attempts: integer(),
    next_attempt_at_millis: v.nullable(integer()),
    last_failure: v.nullable(WebhookFailure),
    dead_letters: integer(0, WEBHOOK_DEAD_LETTERS_MAX),
  }),
  named('WebhookDelivery'),
);

/** A webhook, without its secrets. */
export const Webhook = v.pipe(
  closed({
    id: uuid(),
    ...chosen,
    url: WebhookUrl,
    enabled: v.boolean(),
    revision: integer(1),
    /**
     * The credential whose rights it reads with: that of its creator, or of the last caller that
     * changed it.
     */
    credential_id: uuid(),
    created_at_millis: integer(),
    updated_at_millis: integer(),
    /** Number of secrets that sign now. */
    secrets: integer(1),
    delivery: WebhookDelivery,
  }),
  named('Webhook'),
);
export type Webhook = v.InferOutput<typeof Webhook>;

/** The answer with one webhook. */
export const WebhookResponse = v.pipe(
  closed({ contract_version: answeredVersion, webhook: Webhook }),
  named('WebhookResponse'),
);

/** The answer with a webhook and its new secret, which is shown only once. */
export const WebhookSecretResponse = v.pipe(
  closed({ contract_version: answeredVersion, webhook: Webhook, secret: v.string() }),
  named('WebhookSecretResponse'),
);

/** The answer with all webhooks of the tenant, oldest first. */
export const WebhooksResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    webhooks: v.pipe(v.array(Webhook), v.maxLength(WEBHOOKS_MAX)),
  }),
  named('WebhooksResponse'),
);

/** The answer to a deletion. */
export const DeletedWebhookResponse = v.pipe(
  closed({ contract_version: answeredVersion, deleted: v.literal(true) }),
  named('DeletedWebhookResponse'),
);

/** Changes that were given up. */
export const WebhookDeadLetter = v.pipe(
  closed({
    id: uuid(),
    /** A cursor of the change feed, before the first of the changes. */
    after: ChangeCursor,
    first_committed_at_millis: integer(),
    last_committed_at_millis: integer(),
    given_up_at_millis: integer(),
    failure: WebhookFailure,
    /** Whether they are to be delivered again. */
    replaying: v.boolean(),
  }),
  named('WebhookDeadLetter'),
);
export type WebhookDeadLetter = v.InferOutput<typeof WebhookDeadLetter>;

/** The answer with all dead letters of a webhook, oldest first. */
export const WebhookDeadLettersResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    dead_letters: v.pipe(v.array(WebhookDeadLetter), v.maxLength(WEBHOOK_DEAD_LETTERS_MAX)),
  }),
  named('WebhookDeadLettersResponse'),
);
