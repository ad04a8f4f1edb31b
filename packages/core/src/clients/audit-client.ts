/**
 * The audit log of a tenant, as its administrator reads it.
 */
import { refuseUnknownOptions } from '../contract/errors/arguments.js';
import type { AuditEvent } from '../administration/audit/schema.js';
import type { CallOperation, CallOptions, OutputOf } from './call.js';

/** Events, newest first, and the cursor of the next page. */
export type AuditEventPage = OutputOf<'queryAuditLogs'>;

/** What events are looked for; all given members must match exactly. */
export interface AuditFilter extends CallOptions {
  readonly eventType?: AuditEvent['event_type'];
  readonly userId?: string;
  readonly username?: string;
  readonly action?: string;
  readonly result?: AuditEvent['result'];
  readonly ipAddress?: string;
  /** Unix milliseconds or RFC 3339 with a zone; inclusive. */
  readonly startTime?: number | string;
  /** Unix milliseconds or RFC 3339 with a zone; inclusive. */
  readonly endTime?: number | string;
  /** Most events of one page; default 100, more than 1,000 counts as 1,000. */
  readonly limit?: number;
}

/** Reads the audit log; needs the capability `credential_admin`. */
export class AuditClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** One page of the events that match, newest first. */
  queryPage(filter: AuditFilter & { readonly cursor?: string } = {}): Promise<AuditEventPage> {
    refuseUnknownOptions('audit.queryPage()', filter, filterMembers);
    const { signal, eventType, userId, ipAddress, startTime, endTime, ...same } = filter;
    const parameters = Object.entries({
      ...same,
      event_type: eventType,
      user_id: userId,
      ip_address: ipAddress,
      start_time: timeOf(startTime),
      end_time: timeOf(endTime),
    }).filter(([, value]) => value !== undefined);
    return this.#call('queryAuditLogs', { parameters: Object.fromEntries(parameters) }, { signal });
  }

  /** Every event that matches, newest first, fetched a page at a time. */
  async *query(filter: AuditFilter = {}): AsyncGenerator<AuditEvent, void> {
    let cursor: string | null = null;
    do {
      const position: { cursor?: string } = cursor === null ? {} : { cursor };
      const page: AuditEventPage = await this.queryPage({ ...filter, ...position });
      yield* page.events;
      cursor = page.next_cursor;
    } while (cursor !== null && filter.limit !== 0);
  }
}

const filterMembers = [
  'eventType',
  'userId',
  'username',
  'action',
  'result',
  'ipAddress',
  'startTime',
  'endTime',
  'limit',
  'cursor',
  'signal',
] as const;

function timeOf(time: number | string | undefined): string | undefined {
  return typeof time === 'number' ? new Date(time).toISOString() : time;
}
