/**
 * The operation that verifies the chains of the audit log, and its documents
 * (docs/contract/audit.md#aud-104).
 */
import * as v from 'valibot';
import type { RefusedMember } from '../../../contract/errors/agentkeep-error.js';
import { AUDIT_VERIFIED_BLOCKS_MAX, CURSOR_CHARS_MAX } from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import { integer } from '../../../contract/schema/number.js';
import { hexDigest, textId } from '../../../contract/schema/text.js';
import { shownTime, timeText } from '../../../contract/schema/time.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import { cursorSecret } from '../../installation/cursor-secret.js';
import { SealedCursors } from '../../lists/cursor.js';
import { defineAccountOperation } from '../../operation/define-operation.js';
import { authorityFirstChecks } from '../../operation/orders-of-checks.js';
import type { AccountRequest } from '../../operation/requests.js';
import { actingAuthority } from '../../services/acting-authority.js';
import type { Runtime } from '../../services/runtime.js';
import { keptEvents } from '../audit-store.js';
import type { AuditHead } from '../head-layout.js';
import { auditQuotas } from '../quota-policy.js';
import {
  breakReasons,
  type LogProgress,
  SLICE_BLOCKS,
  startOfLog,
  type VerifiedSlice,
  verifySlice,
} from './verify-chains.js';

/** A chain, which has the name of its quota. */
const AuditChainName = v.pipe(v.picklist(auditQuotas), named('AuditChainName'));

/** Where a verified chain ends. */
const AuditChainEnd = v.pipe(
  closed({
    chain: AuditChainName,
    /** How many events of it are kept. */
    events: integer(),
    /** The newest event, and the SHA-256 that every event before it leads to. */
    last_event: v.string(),
    digest: hexDigest(),
  }),
  named('AuditChainEnd'),
);

/** The first place where a chain does not hold. */
const AuditChainBreak = v.pipe(
  closed({
    event_id: v.string(),
    chain: v.nullable(AuditChainName),
    reason: v.picklist(breakReasons),
  }),
  named('AuditChainBreak'),
);

/** How far a verification is, and its result at the end. */
export const AuditChainVerification = v.pipe(
  closed({
    status: v.picklist(['running', 'verified', 'broken']),
    tenant_id: v.nullable(v.string()),
    /** When this part was verified. */
    checked_at: shownTime(),
    events_checked: integer(),
    blocks_checked: integer(),
    /** How many events are kept now. */
    events_kept: integer(),
    /** The oldest and the newest event that was checked. */
    first_event: v.nullable(v.string()),
    last_event: v.nullable(v.string()),
    chains: v.pipe(v.array(AuditChainEnd), v.maxLength(auditQuotas.length)),
    broken: v.nullable(AuditChainBreak),
    next_cursor: v.nullable(v.string()),
  }),
  named('AuditChainVerification'),
);
export type AuditChainVerification = v.InferOutput<typeof AuditChainVerification>;

/** Which log, and how far it was verified. */
const AuditChainParameters = closed({
  cursor: v.optional(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
  tenant_id: v.optional(textId()),
});

const STALE: RefusedMember = {
  path: 'cursor',
  expected: 'the cursor of an earlier part of this verification',
};

/** Makes and reads cursors of the verification of one log. */
interface ProgressCursors {
  readonly seal: (progress: LogProgress) => string;
  /**
   * Returns the progress of a cursor.
   * @throws {AgentkeepError} `invalid_request` for a text that is no cursor of this log.
   */
  readonly open: (cursor: string) => LogProgress;
}

/** Returns the cursors of the log of an authority. */
async function progressCursorsOf(
  runtime: Pick<Runtime, 'ports' | 'entropy'>,
  authority: string,
): Promise<ProgressCursors> {
  const of = { use: 'agentkeep audit verification cursor 1', tenantId: authority };
  const cursors = new SealedCursors(await cursorSecret.of(runtime)(), of, runtime.entropy);
  return {
    // An absent link stays absent.
    seal: (progress) => cursors.seal(Buffer.from(JSON.stringify(progress), 'utf8')),
    open: (cursor) =>
      JSON.parse(Buffer.from(cursors.open(cursor, STALE)).toString('utf8')) as LogProgress,
  };
}

const inputs = { parameters: AuditChainParameters };
type Request = AccountRequest<typeof inputs>;

/** A break is a result, not an error. Without `tenant_id` it is the log of the caller. */
export const verifyAuditChain = defineAccountOperation({
  name: 'verifyAuditChain',
  summary: 'Verify the hash chains of an audit log, a part of them in each call.',
  example: { parameters: {} },
  tag: 'Audit',
  effect: 'read',
  input: inputs,
  output: AuditChainVerification,
  requires: { role: 'Admin' },
  checks: authorityFirstChecks,
  errors: ['tenant_not_found'],
  isHeavy: true,
  handler: async (request) => {
    const { runtime, principal, input, nowMs } = request;
    const { tenant_id: asked, cursor } = input.parameters;
    const authority = await runtime.store.read((tx) =>
      actingAuthority(tx, principal, asked, runtime),
    );
    const cursors = await progressCursorsOf(runtime, authority);
    const before = cursor === undefined ? startOfLog() : cursors.open(cursor);
    // The events that the caller may know of are part of what it verifies.
    if (cursor === undefined) await runtime.audit.flush();
    const part = await verifyPart(request, authority, before);
    return {
      tenant_id: authority === INSTALLATION ? null : authority,
      checked_at: timeText(nowMs),
      ...shownPart(part),
      next_cursor: part.progress.isDone ? null : cursors.seal(part.progress),
    };
  },
});

async function verifyPart(
  request: Request,
  authority: string,
  start: LogProgress,
): Promise<VerifiedSlice> {
  const slice = (before: LogProgress): Promise<VerifiedSlice> =>
    request.runtime.store.read((tx) => verifySlice(tx, authority, before));
  let part = await slice(start);
  for (let blocks = SLICE_BLOCKS; blocks < AUDIT_VERIFIED_BLOCKS_MAX; blocks += SLICE_BLOCKS) {
    if (part.progress.isDone) break;
    await request.turn();
    part = await slice(part.progress);
  }
  return part;
}

function shownPart({ progress, head }: VerifiedSlice) {
  const { broken, isDone, events, blocks, firstId, lastId } = progress;
  const isVerified = isDone && broken === null;
  return {
    status: broken !== null ? 'broken' : isDone ? 'verified' : 'running',
    events_checked: events,
    blocks_checked: blocks,
    events_kept: keptEvents(head),
    first_event: firstId,
    last_event: lastId,
    chains: isVerified && head !== undefined ? endsOf(head) : [],
    broken: broken && { event_id: broken.eventId, chain: broken.quota, reason: broken.reason },
  } as const;
}

function endsOf({ chains }: AuditHead): AuditChainVerification['chains'] {
  return auditQuotas.flatMap((quota) => {
    const chain = chains[quota];
    if (chain === null) return [];
    const { first, next, lastId: last_event, link } = chain;
    const digest = Buffer.from(link, 'base64url').toString('hex');
    return [{ chain: quota, events: next - first, last_event, digest }];
  });
}
