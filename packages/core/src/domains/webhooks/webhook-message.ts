/**
 * The messages that webhooks receive, and their events.
 *
 * The audit events of webhooks. They never name a secret.
 */
import { CHANGES_SLICE_ENTRIES, WEBHOOK_CHANGES_MAX } from '../../contract/limits.js';
import { timeText } from '../../contract/schema/time.js';
import { scopeOfParts } from '../../kernel/access/covered-scope.js';
import { isSameScope } from '../../kernel/access/grant-policy.js';
import { namespaceOf } from '../../kernel/access/namespace.js';
import type { ActingCredential } from '../../kernel/access/principal.js';
import type { EventSubject } from '../../kernel/audit/call-events.js';
import { keyText } from '../../storage/store/bytes.js';
import { afterPosition } from '../../storage/store/position.js';
import type { SnapshotTx } from '../../storage/store/store.js';
import { firstOf } from '../memory/changes/read-changes.js';
import {
  shownProposalChange,
  type VisibleChange,
  visibleChanges,
  type VisibleProposal,
  visibleProposals,
} from '../memory/changes/visible-changes.js';
import {
  changesBetween,
  floorOf,
  isProposalState,
  type PositionedChange,
} from '../memory/journal/change-store.js';
import { isGivenUp } from './settle-attempt.js';
import type { StoredWebhook } from './webhook-store.js';

/** A webhook with the credential that it reads with. */
export interface OwnedWebhook {
  readonly webhook: StoredWebhook;
  readonly owner: ActingCredential;
}

/** The changes to look at. */
interface MessageSpan {
  readonly from: Uint8Array;
  /** Where they end; absent for the end of what is committed. */
  readonly to?: Uint8Array | undefined;
}

/** Changes for one message, or that changes were removed before they were read. */
export interface FoundMessage {
  readonly kind: 'changes' | 'expired';
  /** Empty where none of the examined changes is wanted. */
  readonly changes: readonly VisibleChange[];
  /** What happened to proposals; absent for a webhook that doesn't want it. */
  readonly proposals?: readonly VisibleProposal[] | undefined;
  /** Where the next message starts. The start of the span if there was nothing to examine. */
  readonly to: Uint8Array;
}

/** The changes of a message. */
type MessageChanges = Pick<FoundMessage, 'changes' | 'proposals'>;

/** Examines one slice of the changes. */
export function findMessage(
  tx: SnapshotTx,
  { webhook, owner }: OwnedWebhook,
  { from, to }: MessageSpan,
): FoundMessage {
  const { tenantId } = owner;
  const floor = floorOf(tx, tenantId);
  if (floor !== undefined && Buffer.compare(floor, from) >= 0) {
    return { kind: 'expired', changes: [], to: afterPosition(floor) };
  }
  const upTo = to ?? Uint8Array.from(tx.horizon());
  const entries = changesBetween(tx, tenantId, { from, to: upTo, limit: CHANGES_SLICE_ENTRIES });
  const visible = visibleChanges(tx, owner, entries, undefined).filter(wantedBy(webhook, owner));
  const about = wantedProposals(tx, { webhook, owner }, entries);
  const first = firstOf(visible, about ?? [], WEBHOOK_CHANGES_MAX);
  const examined = entries.at(-1);
  const end = first.isCut ? first.last : examined && afterPosition(examined.position);
  const proposals = about === undefined ? {} : { proposals: first.proposals };
  return { kind: 'changes', changes: first.changes, ...proposals, to: end ?? from };
}

/** Returns what a webhook wants of proposals, if it wants any of it. */
function wantedProposals(
  tx: SnapshotTx,
  { webhook: { scopes, actions }, owner }: OwnedWebhook,
  entries: readonly PositionedChange[],
): VisibleProposal[] | undefined {
  if (actions?.some(isProposalState) !== true) return undefined;
  return visibleProposals(tx, owner, entries, undefined).filter(
    ({ state, proposal }) =>
      actions.includes(state) &&
      (scopes === null ||
        proposal.scopes.some((parts) =>
          scopes.some((scope) => isSameScope(scope, scopeOfParts(parts))),
        )),
  );
}

function wantedBy(
  { scopes, actions }: StoredWebhook,
  owner: ActingCredential,
): (change: PositionedChange) => boolean {
  const digests = scopes?.map((scope) => keyText(namespaceOf(owner, scope).digest));
  const names = digests && new Set(digests);
  return ({ digest, action }) =>
    (actions === null || actions.includes(action)) &&
    (names === undefined || names.has(keyText(digest)));
}

/** The end of a run of changes that are too old to be sent again. */
interface OldRun {
  readonly to: Uint8Array;
  readonly lastCommittedAtMillis: number | undefined;
  /** Whether the run may go on. */
  readonly isCut: boolean;
}

/** Finds how far, from a position on, changes are too old to be sent again. Reads one slice. */
export function oldRunFrom(
  tx: SnapshotTx,
  { tenantId }: Pick<ActingCredential, 'tenantId'>,
  { from, nowMs }: { readonly from: Uint8Array; readonly nowMs: number },
): OldRun {
  const to = Uint8Array.from(tx.horizon());
  const entries = changesBetween(tx, tenantId, { from, to, limit: CHANGES_SLICE_ENTRIES });
  const young = entries.findIndex(({ committedAtMillis }) => !isGivenUp(committedAtMillis, nowMs));
  const last = (young === -1 ? entries : entries.slice(0, young)).at(-1);
  return {
    to: last === undefined ? from : afterPosition(last.position),
    lastCommittedAtMillis: last?.committedAtMillis,
    isCut: young === -1 && entries.length === CHANGES_SLICE_ENTRIES,
  };
}

/** Returns when the last change of a message was committed. */
export function lastOf({ changes, proposals = [] }: MessageChanges): number | undefined {
  const last = [...changes, ...proposals].map(({ committedAtMillis }) => committedAtMillis);
  return last.length === 0 ? undefined : Math.max(...last);
}

/** Returns when the first change of a message was committed. */
export function firstIn({ changes, proposals = [] }: MessageChanges): number | undefined {
  const all = [...changes, ...proposals].map(({ committedAtMillis }) => committedAtMillis);
  return all.length === 0 ? undefined : Math.min(...all);
}

/** Returns the body of a message. */
export function messageBody(
  { kind, changes, proposals }: FoundMessage,
  { webhookId, nowMs }: { readonly webhookId: string; readonly nowMs: number },
): string {
  const atMs = lastOf({ changes, proposals }) ?? nowMs;
  if (kind === 'expired') {
    const data = { webhook_id: webhookId };
    return JSON.stringify({ type: 'memory.changes_expired', timestamp: timeText(atMs), data });
  }
  const shown = changes.map(({ scope, recordId, revision, action, committedAtMillis }) => ({
    scope,
    record_id: recordId,
    revision,
    action,
    committed_at_millis: committedAtMillis,
  }));
  const about = proposals === undefined ? {} : { proposals: proposals.map(shownProposalChange) };
  const data = { webhook_id: webhookId, changes: shown, ...about };
  return JSON.stringify({ type: 'memory.changed', timestamp: timeText(atMs), data });
}

/** The change that a call made to a webhook. */
type WebhookChange =
  'created' | 'updated' | 'deleted' | 'secret_rotated' | 'replayed' | 'discarded';

/** Returns the event of a changed webhook. */
export function webhookChanged(change: WebhookChange, webhook: StoredWebhook): EventSubject {
  const { id, name, url, scopes, actions, isEnabled } = webhook;
  return {
    type: 'configuration_changed',
    action: 'configuration_changed',
    resource: `webhook:${id}`,
    result: 'success',
    metadata: {
      change,
      name,
      // The rest of an address may contain a secret.
      origin: new URL(url).origin,
      scopes: scopes === null ? null : scopes.map((scope) => ({ ...scope })),
      actions: actions === null ? null : [...actions],
      enabled: isEnabled,
    },
  };
}
