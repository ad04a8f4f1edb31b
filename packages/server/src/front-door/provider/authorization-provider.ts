/** The authorization server of `oidc-provider`, which answers requests without a socket. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { formatGrantSecret, type GrantCall, type Party } from '@agentkeep/core/operator';
import inject from 'light-my-request';
import type Provider from 'oidc-provider';
import type { DoorAnswer } from '../request/door-request.js';
import { documentAskers } from './client-documents.js';
import { grantCalls } from './grant-adapter.js';
import { withOwnTokens } from './own-tokens.js';
import { type ProviderParts, providerSettings } from './provider-settings.js';

/** A request to hand on. */
interface HandedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly cookie?: string | null;
  /** A form, or JSON where `isJson`. */
  readonly body?: string;
  readonly isJson?: boolean;
  /** The person who sent it; without one, no document of a program is fetched. */
  readonly asker?: Party;
}

/** An authorization server. */
export class AuthorizationProvider {
  readonly #parts: Omit<ProviderParts, 'errors' | 'interactionPolicy'>;
  readonly #failures = new WeakMap<GrantCall, Error>();
  #opened: Promise<Provider> | undefined;

  constructor(parts: Omit<ProviderParts, 'errors' | 'interactionPolicy'>) {
    this.#parts = parts;
  }

  /** Whether programs may register. */
  get allowsRegistration(): boolean {
    return this.#parts.allowsRegistration;
  }

  /** Returns the provider, which is loaded when it is first needed. */
  provider(): Promise<Provider> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  /** Answers a request. What it stores is recorded as caused by `call`. */
  async answer(request: HandedRequest, call: GrantCall): Promise<DoorAnswer> {
    const provider = await this.provider();
    const { publicUrl } = this.#parts;
    const { host, protocol } = new URL(publicUrl);
    const { method, target, cookie, body, isJson = false, asker } = request;
    const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
    const callback = provider.callback();
    const dispatch = (received: IncomingMessage, sent: ServerResponse): void => {
      void callback(received, sent);
    };
    const send = async () =>
      inject(dispatch, {
        method,
        url: publicUrl + target,
        headers: {
          host,
          'x-forwarded-proto': protocol.slice(0, -1),
          ...(cookie === null || cookie === undefined ? {} : { cookie }),
          ...(body === undefined ? {} : { 'content-type': type }),
        },
        ...(body === undefined ? {} : { payload: body }),
      });
    // It begins when it is awaited, so that happens inside.
    const response = await grantCalls.run(call, () => documentAskers.run(asker, send));
    const failure = this.#failures.get(call);
    if (failure !== undefined) throw failure;
    return answerOf(response);
  }

  async #open(): Promise<Provider> {
    const { default: Provider, errors, interactionPolicy } = await import('oidc-provider');
    const settings = providerSettings({ ...this.#parts, errors, interactionPolicy });
    const provider = new Provider(this.#parts.publicUrl, settings);
    provider.proxy = true;
    provider.use(withOwnTokens(this.#parts.grants));
    provider.on('server_error', (_ctx, error) => {
      const call = grantCalls.getStore();
      if (call !== undefined) this.#failures.set(call, error);
    });
    nameByGrant(provider);
    return provider;
  }
}

const RANDOM_BYTES = 32;

/** Has codes and refresh tokens name their grant, so that used ones are recognised. */
function nameByGrant({ AuthorizationCode, RefreshToken }: Provider): void {
  for (const { name, prototype } of [AuthorizationCode, RefreshToken]) {
    const generateTokenId = function (this: { readonly grantId?: string }): string {
      if (this.grantId === undefined) throw new Error(`The ${name} belongs to no grant.`);
      const random = randomBytes(RANDOM_BYTES).toString('base64url');
      return formatGrantSecret(name as 'AuthorizationCode' | 'RefreshToken', this.grantId, random);
    };
    Object.defineProperty(prototype, 'generateTokenId', { value: generateTokenId });
  }
}

const KEPT_HEADERS = { 'content-type': 'Content-Type', location: 'Location' } as const;

function answerOf({ statusCode: status, headers, body }: inject.Response): DoorAnswer {
  const kept = Object.entries(KEPT_HEADERS).flatMap(([sent, name]) => {
    const value = headers[sent];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const cookies = [headers['set-cookie'] ?? []].flat().filter((each) => !isSession(each));
  return { status, headers: Object.fromEntries(kept), cookies, body };
}

/** The provider keeps no sessions of its own. */
function isSession(cookie: string): boolean {
  return cookie.startsWith('_session=') || cookie.startsWith('_session.legacy=');
}
