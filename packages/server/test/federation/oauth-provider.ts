/** Another party's identity provider: `oidc-provider`, on loopback. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

const CLIENT = { client_id: 'workload', client_secret: 'provider-secret' };

/** A provider that gives signed access tokens to one client. */
export class RunningProvider implements AsyncDisposable {
  readonly issuer: string;
  readonly #server: Server;

  private constructor(server: Server, issuer: string) {
    this.#server = server;
    this.issuer = issuer;
  }

  /** Starts a provider. */
  static async start(): Promise<RunningProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answer = new Provider(issuer, {
      clients: [
        { ...CLIENT, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
      ],
      features: {
        clientCredentials: { enabled: true },
        devInteractions: { enabled: false },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_context, audience) => ({
            scope: 'run',
            audience,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
      },
    }).callback();
    server.on('request', (request, response) => void answer(request, response));
    return new RunningProvider(server, issuer);
  }

  /** Returns a token of the client for an audience, signed by the provider. */
  async assertion(audience: string): Promise<string> {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      resource: audience,
      scope: 'run',
      ...CLIENT,
    });
    const response = await fetch(`${this.issuer}/token`, { method: 'POST', body });
    const answer = (await response.json()) as { access_token: string };
    return answer.access_token;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
