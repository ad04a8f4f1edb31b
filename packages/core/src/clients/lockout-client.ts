/**
 * The lockouts of an authority, as its administrators use them.
 */
import { requireArguments } from '../contract/errors/arguments.js';
import type { LockoutStatus } from '../people/lockout/schema.js';
import type { CallOperation, CallOptions, OutputOf } from './call.js';

/** Locked names in the order of their bytes, and the cursor of the next page. */
export type LockoutPage = OutputOf<'listLockouts'>;

/** A locked name with its status. */
export type LockedName = LockoutPage['locked_users'][number];

/** Whose names are meant. */
export interface LockoutOptions extends CallOptions {
  /** A tenant, for administrators of the installation. Default: the caller's own authority. */
  readonly tenantId?: string;
}

/** Lockout administration; needs the role Admin, and SuperAdmin over names of administrators. */
export class LockoutClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Where a name stands; zeros when nothing is remembered of it. */
  async get(username: string, options: LockoutOptions = {}): Promise<LockoutStatus> {
    requireArguments('lockouts.get()', { username });
    const { signal, ...rest } = options;
    const parts = { id: username, parameters: parametersOf(rest) };
    const { status } = await this.#call('getLockout', parts, { signal });
    return status;
  }

  /** Locks a name until it is unlocked; a repeat replaces the reason. */
  async lock(
    username: string,
    options: LockoutOptions & { readonly reason?: string } = {},
  ): Promise<void> {
    requireArguments('lockouts.lock()', { username });
    const { signal, reason, ...rest } = options;
    const document = reason === undefined ? {} : { reason };
    const parts = { id: username, parameters: parametersOf(rest), document };
    await this.#call('lockAccount', parts, { signal });
  }

  /**
   * Ends the lock of a name and forgets its failures.
   * @throws {AgentkeepError} `lockout_not_found` when nothing is remembered of the name.
   */
  async unlock(username: string, options: LockoutOptions = {}): Promise<void> {
    requireArguments('lockouts.unlock()', { username });
    const { signal, ...rest } = options;
    const parts = { id: username, parameters: parametersOf(rest) };
    await this.#call('unlockAccount', parts, { signal });
  }

  /** One page of the locked names, 1 to 1,000 of them. */
  listPage(
    page: LockoutOptions & { readonly limit?: number; readonly cursor?: string } = {},
  ): Promise<LockoutPage> {
    const { signal, limit, cursor, ...rest } = page;
    const parameters = {
      ...parametersOf(rest),
      ...(limit === undefined ? {} : { limit }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    return this.#call('listLockouts', { parameters }, { signal });
  }

  /** Every locked name, fetched a page at a time. */
  async *list(
    options: LockoutOptions & { readonly limit?: number } = {},
  ): AsyncGenerator<LockedName, void> {
    let cursor: string | null = null;
    do {
      const position: { cursor?: string } = cursor === null ? {} : { cursor };
      const page: LockoutPage = await this.listPage({ ...options, ...position });
      yield* page.locked_users;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }
}

function parametersOf({ tenantId }: { readonly tenantId?: string }): { tenant_id?: string } {
  return tenantId === undefined ? {} : { tenant_id: tenantId };
}
