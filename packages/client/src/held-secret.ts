/** The secret that authenticates calls. The secret of a login is renewed before it ends. */
import { AgentkeepError, type LoginTokens, type OperationName } from '@agentkeep/core/clients';
import type { ClientClock } from './clock.js';

/** A new access token, and the seconds that it is valid for. */
type AccessToken = Pick<LoginTokens, 'access_token' | 'expires_in'>;

/** Exchanges a refresh token for an access token. */
export type Renew = (refreshToken: string) => Promise<AccessToken>;

/** How the access token of a login is renewed. */
export interface Renewal {
  readonly tokens: LoginTokens;
  readonly renew: Renew;
  readonly clock: ClientClock;
}

/** A token is renewed this long before its end; a short-lived one in the last tenth of its life. */
const EARLY_MS_MAX = 60_000;

const LOGOUTS: readonly OperationName[] = ['authLogout', 'logout'];

/** The secret of a client: a fixed one, or an access token. */
export class HeldSecret {
  #secret: string;
  #renewal: Renewal | undefined;
  #dueMs: { readonly wall: number; readonly monotonic: number } | undefined;
  #renewing: Promise<void> | undefined;

  constructor(secret: string, renewal?: Renewal) {
    this.#secret = secret;
    this.#renewal = renewal;
    if (renewal !== undefined) this.#take(renewal.tokens);
  }

  /** Returns the secret for a call. Calls at the same time share one renewal. */
  async forCall(name: OperationName): Promise<string> {
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
    if (this.#renewal === undefined || this.#dueMs === undefined) return false;
    const { clock } = this.#renewal;
    return clock.now() >= this.#dueMs.wall || clock.monotonic() >= this.#dueMs.monotonic;
  }

  async #renew(): Promise<void> {
    if (this.#renewal === undefined) return;
    const { renew, tokens } = this.#renewal;
    try {
      this.#take(await renew(tokens.refresh_token));
    } catch (error) {
      if (!(error instanceof AgentkeepError) || error.kind !== 'unauthenticated') throw error;
      // The session has ended. The server refuses the call with the old token.
      this.#renewal = undefined;
    }
  }
}
