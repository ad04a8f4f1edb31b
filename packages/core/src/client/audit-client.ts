/** Client of an audit log. */
import { refuseUnknownOptions } from '../contract/errors/arguments.js';
import type { AuditEvent } from '../kernel/audit-log/schema.js';
import { type CallOperation, type CallOptions, type OutputOf, stated } from './call.js';
import { pagesFrom } from './lists/page-walk.js';

/** A page of events, newest first, with the cursor of the next page. */
export type AuditEventPage = OutputOf<'queryAuditLogs'>;

/** Filter of events; all given members must match exactly. */
export interface AuditFilter extends CallOptions {
  readonly eventType?: AuditEvent['event_type'];
  readonly userId?: string;
  readonly username?: string;
  readonly action?: string;
  /** What an event is about, such as `record:<id>`, `proposal:<id>` or `user:<id>`. */
  readonly resource?: string;
  readonly result?: AuditEvent['result'];
  readonly ipAddress?: string;
  /** Unix milliseconds or RFC 3339 with a zone; inclusive. */
  readonly startTime?: number | string;
  /** Unix milliseconds or RFC 3339 with a zone; inclusive. */
  readonly endTime?: number | string;
  /** Largest number of events of a page; default 100. Above 1,000 counts as 1,000. */
  readonly limit?: number;
}

/** How far a verification is, and its result at the end. */
export type AuditChainVerification = OutputOf<'verifyAuditChain'>;

/** Which log is verified, and how. */
export interface AuditVerifyOptions extends CallOptions {
  /** The log of this tenant, for administrators of the installation. Default: the caller's own. */
  readonly tenantId?: string | undefined;
  /** Called after each part. */
  readonly onProgress?: ((part: AuditChainVerification) => void) | undefined;
}

/** Reads the audit log of the caller's authority. Needs `credential_admin` or the role Admin. */
export class AuditClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Returns one page of the matching events, newest first. */
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

  /** Yields every matching event, newest first, fetched a page at a time. */
  async *query(filter: AuditFilter = {}): AsyncGenerator<AuditEvent, void> {
    const pages = pagesFrom(null, (position) => this.queryPage({ ...filter, ...position }));
    for await (const page of pages) {
      yield* page.events;
      if (filter.limit === 0) return;
    }
  }

  /**
   * Verifies the hash chains of the log part by part, and returns the result. It says where a chain
   * does not hold; that is no error.
   */
  async verify(options: AuditVerifyOptions = {}): Promise<AuditChainVerification> {
    refuseUnknownOptions('audit.verify()', options, ['tenantId', 'onProgress', 'signal']);
    const { tenantId, onProgress, signal } = options;
    const of = stated({ tenant_id: tenantId });
    const partAt = async (position: { cursor?: string }): Promise<AuditChainVerification> => {
      const parameters = { ...of, ...position };
      const part = await this.#call('verifyAuditChain', { parameters }, { signal });
      onProgress?.(part);
      return part;
    };
    let part = await partAt({});
    while (part.next_cursor !== null) part = await partAt({ cursor: part.next_cursor });
    return part;
  }
}

const filterMembers = [
  'eventType',
  'userId',
  'username',
  'action',
  'resource',
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
