/**
 * The hook through which an audit log learns of changes and outcomes.
 * @module
 */
import type { Principal } from '../access/principal.js';
import type { ErrorCode } from '../errors/catalogue.js';
import type { WriteTx } from '../store/store.js';

/** A change, told inside the transaction that makes it. */
export interface ChangeEvent {
  /** What was done, as a name of the catalogue of audit events. */
  readonly action: string;
  /** What it was done to, as `<kind>:<id>`. */
  readonly resource: string;
  readonly actor: Principal | 'operator';
  readonly tenantId: string;
  readonly atMillis: number;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** How a call ended. */
export interface OutcomeEvent {
  readonly operation: string;
  readonly principal: Principal | undefined;
  /** Absent when the call succeeded. */
  readonly error?: ErrorCode;
  readonly requestId: string | undefined;
  readonly atMillis: number;
}

/** Receives audit events. */
export interface AuditHook {
  /** Stores an event with the change that it records: both commit, or neither does. */
  changed(tx: WriteTx, event: ChangeEvent): void;
  /** Notes an outcome after the fact; must not throw. */
  observed(event: OutcomeEvent): void;
}

/** Records nothing. */
export const noAudit: AuditHook = { changed: () => undefined, observed: () => undefined };
