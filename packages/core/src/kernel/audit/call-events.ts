/** The events of single calls: refusals and passed permission checks. */
import type { AccountPresence, Principal } from '../access/principal.js';
import type { ErrorCode } from '../../contract/errors/catalogue.js';
import type { JsonValue } from '../../contract/schema/json-value.js';
import type { AuditDraft, AuditMetadata, CallOrigin } from './audit.js';
import type { NewId } from '../ports/ids.js';

/** How a caller tried to authenticate, successfully or not. */
export type AttemptedProof = 'bearer' | 'api_key';

/** The members that all events of a call share. */
export interface CallFacts {
  readonly newId: NewId;
  readonly principal: Principal | undefined;
  readonly attempted: readonly AttemptedProof[];
  readonly origin: CallOrigin;
  readonly requestId: string | undefined;
  readonly traceId: string | undefined;
  /** When the call began. */
  readonly nowMs: number;
}

/** The outcome of a call. */
export interface CallOutcome {
  /** Absent when the call succeeded. */
  readonly error: ErrorCode | undefined;
  /** The right that was checked; absent when no check was reached. */
  readonly right: string | undefined;
  /** Whether a passed check is recorded as an event. */
  readonly recordsGrant: boolean;
  /** Whether the operation only reads. */
  readonly isRead: boolean;
  /** The refused API key, if it is a stored one. */
  readonly keyId?: string | undefined;
  /** Returns what the call changed: one event for each. */
  readonly changes: () => readonly NamedChange[];
}

/** What a call changed, as the event of its passed check names it. */
export interface NamedChange {
  /** What was changed: its kind, a colon, and its id. Default: the target of the call. */
  readonly resource?: string;
  readonly metadata: AuditMetadata;
}

/** The changes of a call that names none: one event without further metadata. */
export const unnamedChanges = (): readonly NamedChange[] => [{ metadata: {} }];

/** The members of an event that don't come from its call. */
export type EventSubject = Pick<
  AuditDraft,
  'type' | 'action' | 'resource' | 'result' | 'isRoutine'
> & {
  readonly metadata: AuditMetadata;
  /** The party that the event is about, if that is not the caller. */
  readonly actor?: EventActor;
  /** When it happened, if that is not the time of the call. */
  readonly atMillis?: number;
};

/** The party that an event names, and the authority whose chain it belongs to. */
export type EventActor = Pick<AuditDraft, 'tenantId' | 'userId' | 'username'>;

/** Returns the metadata that connects an event with its request and its trace. */
export function requestMembers({
  requestId,
  traceId,
}: Pick<CallFacts, 'requestId' | 'traceId'>): AuditMetadata {
  if (requestId === undefined && traceId === undefined) return {};
  return {
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(traceId === undefined ? {} : { trace_id: traceId }),
  };
}

/** Returns an event whose actor is the caller. */
export function callEvent(facts: CallFacts, subject: EventSubject): AuditDraft {
  const { principal, origin, requestId, traceId } = facts;
  const { tenantId, userId, username } = subject.actor ?? eventActorOf(principal, facts.attempted);
  const metadata: Record<string, JsonValue> = { ...subject.metadata };
  if (principal !== undefined) metadata['principal'] = principal.kind;
  const service = principal?.credential?.actingService;
  if (service !== undefined) metadata['acting_service'] = service.subject_id;
  if (requestId !== undefined) metadata['request_id'] = requestId;
  if (traceId !== undefined) metadata['trace_id'] = traceId;
  // Written out, because every memory command has an event and spreads cost more than the rest.
  return {
    id: facts.newId(),
    type: subject.type,
    atMillis: subject.atMillis ?? facts.nowMs,
    tenantId,
    userId,
    username,
    action: subject.action,
    resource: subject.resource,
    result: subject.result,
    ipAddress: origin.ipAddress,
    userAgent: origin.userAgent,
    metadata,
    isRoutine: subject.isRoutine === true,
  };
}

/** Returns the events of the outcome of a call. */
export function outcomeEvents(facts: CallFacts, outcome: CallOutcome): AuditDraft[] {
  const { path } = facts.origin;
  const { error, right } = outcome;
  if (error === 'forbidden') return [callEvent(facts, denied(right ?? 'authority', path))];
  if (error === 'rate_limit_exceeded') return [callEvent(facts, refusedByRate(facts.origin))];
  if (error !== undefined && isRefusedProof(error)) {
    const withoutPrincipal = { ...facts, principal: undefined };
    return facts.attempted.map((proof) =>
      callEvent(withoutPrincipal, refusedProof(proof, path, outcome.keyId)),
    );
  }
  if (right === undefined || !outcome.recordsGrant) return [];
  const isRoutine = outcome.isRead || error !== undefined;
  const changes = error === undefined ? outcome.changes : unnamedChanges;
  return changes().map(({ resource = path, metadata }) =>
    callEvent(facts, granted(right, resource, isRoutine, metadata)),
  );
}

/** Whether a proof was refused: it is not valid, or its subject is blocked. */
export function isRefusedProof(error: ErrorCode): boolean {
  return error === 'unauthorized' || error === 'subject_blocked';
}

/** A call was refused because a right is missing. */
export function denied(right: string, path: string): EventSubject {
  return {
    type: 'permission_denied',
    action: `require_permission:${right}`,
    resource: path,
    result: 'forbidden',
    metadata: { required: right },
  };
}

function granted(
  right: string,
  resource: string,
  isRoutine: boolean,
  metadata: AuditMetadata,
): EventSubject {
  return {
    type: 'access_granted',
    action: `require_permission:${right}`,
    resource,
    result: 'success',
    metadata,
    isRoutine,
  };
}

function refusedByRate({ path, endpointType }: CallOrigin): EventSubject {
  return {
    type: 'rate_limit_exceeded',
    action: 'rate_limit_exceeded',
    resource: path,
    result: 'forbidden',
    metadata: { endpoint: path, endpoint_type: endpointType },
  };
}

/** Returns the event of a refused proof. It names a key only if the key is stored. */
export function refusedProof(proof: AttemptedProof, path: string, keyId?: string): EventSubject {
  const type = proof === 'bearer' ? 'token_refresh_failed' : 'api_key_validation_failed';
  const key: AuditMetadata = keyId === undefined ? {} : { key_id: keyId };
  const metadata = proof === 'bearer' ? { endpoint: path } : key;
  return { type, action: type, resource: 'authentication', result: 'unauthorized', metadata };
}

/** Returns a caller as events name it: a credential by its subject, an account by its username. */
export function eventActorOf(
  principal: Principal | undefined,
  attempted: readonly AttemptedProof[] = [],
): EventActor {
  if (principal === undefined) {
    const username = attempted.length > 0 ? 'unknown' : null;
    return { tenantId: null, userId: null, username };
  }
  const { authority, id } = principal;
  return {
    tenantId: authority.kind === 'tenant' ? authority.tenant_id : null,
    userId: id,
    username:
      principal.kind === 'account'
        ? principal.username
        : (principal.credential ?? principal.global).spec.subject_id,
  };
}

/** Returns the event of a call by an authenticated account; none for a credential. */
export function authenticatedEvents(facts: CallFacts): AuditDraft[] {
  const { principal } = facts;
  if (principal?.kind !== 'account') return [];
  return [callEvent(facts, proofUsed(principal.presence))];
}

/** Returns the event of a successful authentication of an account. */
export function proofUsed(presence: AccountPresence): EventSubject {
  const success = { resource: 'authentication', result: 'success', isRoutine: true } as const;
  return presence.kind === 'api_key'
    ? {
        type: 'api_key_used',
        action: 'api_key_used',
        ...success,
        metadata: { key_id: presence.keyId },
      }
    : {
        type: 'token_refresh',
        action: 'token_refresh',
        ...success,
        metadata: { session_id: presence.sessionId },
      };
}
