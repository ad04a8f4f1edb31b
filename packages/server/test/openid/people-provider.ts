/** Another party's identity provider for people: `oidc-provider`, on loopback. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** What our client is at the provider. */
export const CLIENT = { client_id: 'agentkeep', client_secret: 'the-secret-of-the-client-1' };

/** The claims of a person beside `sub`. */
type Claims = Readonly<Record<string, unknown>>;

/** Where the provider sends browsers and logouts. */
export interface ClientAddresses {
  readonly redirectUri: string;
  readonly logoutUri?: string;
  /** Whether the client has no secret. Default: false. */
  readonly isPublic?: boolean;
  /** Sends the requests of the provider. Default: the network. */
  readonly fetch?: typeof fetch;
}

/** A provider whose people sign in without a form: the next one is chosen by the test. */
export class PeopleProvider implements AsyncDisposable {
  readonly issuer: string;
  readonly #server: Server;
  /** The `sub` of the person in front of the browser. */
  person = '';
  readonly people = new Map<string, Claims>();

  private constructor(server: Server, addresses: ClientAddresses) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = this.#provider(addresses);
    const answer = provider.callback();
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/interaction/') !== true) return void answer(request, response);
      const login = { accountId: this.person };
      return void provider.interactionFinished(request, response, { login });
    });
  }

  /** Starts a provider. */
  static async start(addresses: ClientAddresses): Promise<PeopleProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new PeopleProvider(server, addresses);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #provider({ redirectUri, logoutUri, isPublic = false, fetch: send }: ClientAddresses): Provider {
    const { client_id } = CLIENT;
    return new Provider(this.issuer, {
      clients: [
        {
          ...(isPublic ? { client_id, token_endpoint_auth_method: 'none' } : CLIENT),
          redirect_uris: [redirectUri],
          response_types: ['code'],
          grant_types: ['authorization_code'],
          ...(logoutUri === undefined
            ? {}
            : { backchannel_logout_uri: logoutUri, backchannel_logout_session_required: true }),
        },
      ],
      claims: {
        openid: ['sub', 'sid'],
        profile: ['preferred_username', 'groups'],
        email: ['email', 'email_verified'],
      },
      conformIdTokenClaims: false,
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
      cookies: { keys: ['a key for cookies'] },
      ...(send === undefined ? {} : { fetch: send }),
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context, form) => {
            context.body = form.replace('</form>', '<input name="logout" value="yes"/></form>');
          },
        },
      },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: () => ({ sub, ...this.people.get(sub) }),
      }),
      loadExistingGrant: async (context) => {
        const { client, session } = context.oidc;
        if (client === undefined || session?.accountId === undefined) return undefined;
        const grant = new context.oidc.provider.Grant({
          clientId: client.clientId,
          accountId: session.accountId,
        });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
    });
  }
}
