/** The secret that authenticates calls. An access token is renewed before it ends. */
import { AgentkeepError, type LoginTokens, type OperationName } from '@agentkeep/core/clients';
import type { ClientClock } from './clock.js';

/** A new access token, and the seconds that it is valid for. */
type AccessToken = Pick<LoginTokens, 'access_token' | 'expires_in'>;

/** How an access token is renewed. */
export interface Renewal {
  /** The first token; without one it is got before the first call. */
  readonly first?: AccessToken;
  readonly renew: () => Promise<AccessToken>;
  readonly clock: ClientClock;
}

/** A token is renewed this long before its end; a short-lived one in the last tenth of its life. */
const EARLY_MS_MAX = 60_000;

const LOGOUTS: readonly OperationName[] = ['authLogout', 'logout'];

/** The secret of a client: a fixed one, or an access token. */
export class HeldSecret {
  #secret: string | undefined;
  #renewal: Renewal | undefined;
  #dueMs: { readonly wall: number; readonly monotonic: number } | undefined;
  #renewing: Promise<void> | undefined;

  /** Without a secret, calls are proved in another way. */
  constructor(secret: string | Renewal | undefined) {
    if (typeof secret !== 'object') {
      this.#secret = secret;
      return;
    }
    this.#renewal = secret;
    if (secret.first !== undefined) this.#take(secret.first);
  }

  /** Returns the secret for a call. Calls at the same time share one renewal. */
  async forCall(name: OperationName): Promise<string | undefined> {
    // A caller that renews explicitly gets no second renewal.
    if (name !== 'authRefresh' && this.#isDue()) {
      this.#renewing ??= this.#renew().finally(() => {
        this.#renewing = undefined;
      });
      await this.#renewing;
    }
    return this.#secret;
  }

  /** Applies the change that a successful call made: a new token, or the end of the session. */
  observe(name: OperationName, output: object): void {
    if (name === 'authRefresh') this.#take(output as AccessToken);
    if (LOGOUTS.includes(name)) this.#renewal = undefined;
  }

  #take({ access_token: token, expires_in: seconds }: AccessToken): void {
    this.#secret = token;
    if (this.#renewal === undefined) return;
    const { clock } = this.#renewal;
    const lifeMs = seconds * 1_000;
    const usedMs = lifeMs - Math.min(EARLY_MS_MAX, lifeMs / 10);
    this.#dueMs = { wall: clock.now() + usedMs, monotonic: clock.monotonic() + usedMs };
  }

  /** Either clock may be wrong: one stands still while the machine sleeps, the other is set. */
  #isDue(): boolean {
    if (this.#renewal === undefined) return false;
    if (this.#dueMs === undefined) return true;
    const { clock } = this.#renewal;
    return clock.now() >= this.#dueMs.wall || clock.monotonic() >= this.#dueMs.monotonic;
  }

  async #renew(): Promise<void> {
    if (this.#renewal === undefined) return;
    try {
      this.#take(await this.#renewal.renew());
    } catch (error) {
      const hasEnded = error instanceof AgentkeepError && error.kind === 'unauthenticated';
      if (!hasEnded || this.#secret === undefined) throw error;
      // What the token was got with has ended. The server refuses the call with the old token.
      this.#renewal = undefined;
    }
  }
}
