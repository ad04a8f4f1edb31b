/** Client of the lockouts of an authority. */
import { requireArguments } from '../contract/errors/arguments.js';
import type { LockoutStatus } from '../domains/people/lockout/schema.js';
import { type CallOperation, type CallOptions, type OutputOf, stated } from './call.js';
import { pagesFrom } from './lists/page-walk.js';

/** A page of locked names in byte order, with the cursor of the next page. */
export type LockoutPage = OutputOf<'listLockouts'>;

/** A locked name with its status. */
export type LockedName = LockoutPage['locked_users'][number];

/** The authority that the names belong to. */
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

  /** Returns the status of a name; all zeros if there were no failures. */
  async get(username: string, options: LockoutOptions = {}): Promise<LockoutStatus> {
    requireArguments('lockouts.get()', { username });
    const { signal, ...rest } = options;
    const parts = { id: username, parameters: parametersOf(rest) };
    const { status } = await this.#call('getLockout', parts, { signal });
    return status;
  }

  /** Locks a name until it is unlocked. A repeated call replaces the reason. */
  async lock(
    username: string,
    options: LockoutOptions & { readonly reason?: string } = {},
  ): Promise<void> {
    requireArguments('lockouts.lock()', { username });
    const { signal, reason, ...rest } = options;
    const document = stated({ reason });
    const parts = { id: username, parameters: parametersOf(rest), document };
    await this.#call('lockAccount', parts, { signal });
  }

  /**
   * Unlocks a name and forgets its failures.
   * @throws {AgentkeepError} `lockout_not_found` if there is neither a lock nor a failure.
   */
  async unlock(username: string, options: LockoutOptions = {}): Promise<void> {
    requireArguments('lockouts.unlock()', { username });
    const { signal, ...rest } = options;
    const parts = { id: username, parameters: parametersOf(rest) };
    await this.#call('unlockAccount', parts, { signal });
  }

  /** Returns one page of 1 to 1,000 locked names. */
  listPage(
    page: LockoutOptions & { readonly limit?: number; readonly cursor?: string } = {},
  ): Promise<LockoutPage> {
    const { signal, limit, cursor, ...rest } = page;
    const parameters = {
      ...parametersOf(rest),
      ...stated({ limit, cursor }),
    };
    return this.#call('listLockouts', { parameters }, { signal });
  }

  /** Yields every locked name, fetched a page at a time. */
  async *list(
    options: LockoutOptions & { readonly limit?: number } = {},
  ): AsyncGenerator<LockedName, void> {
    const pages = pagesFrom(null, (position) => this.listPage({ ...options, ...position }));
    for await (const page of pages) yield* page.locked_users;
  }
}

function parametersOf({ tenantId }: { readonly tenantId?: string }): { tenant_id?: string } {
  return stated({ tenant_id: tenantId });
}
