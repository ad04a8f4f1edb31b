/** An issuer on loopback whose tokens a test makes up, also wrong ones. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestIssuer, testIssuer } from '@agentkeep/testkit/test-issuer';
import { CLIENT } from './people-provider.js';

type Members = Readonly<Record<string, unknown>>;

/** What the next token request is answered with; `undefined` leaves out the ID token. */
type MakeToken = (claims: Members, issuer: CraftedIssuer) => string | undefined;

const signed: MakeToken = (claims, { signer }) => signer.sign(claims);

/** Answers as OpenID Connect has it, unless a test says otherwise. */
export class CraftedIssuer implements AsyncDisposable {
  readonly issuer: string;
  readonly #server: Server;
  signer: TestIssuer = testIssuer('k1');
  keys: readonly object[] = [this.signer.key];
  makeToken: MakeToken = signed;
  /** Members of the discovery document, in place of the usual ones. */
  stated: Members = {};
  /** The forms that the token endpoint got. */
  readonly forms: URLSearchParams[] = [];
  /** The paths that were asked for. */
  readonly asked: string[] = [];
  /** Answers any request in place of the issuer, if it returns true. */
  instead: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  #nonce = '';
  #challenge = '';

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => {
      void this.#answer(request, response);
    });
  }

  /** Starts an issuer. */
  static async start(): Promise<CraftedIssuer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new CraftedIssuer(server);
  }

  /** Returns the query that a browser comes back with from an authorization address. */
  callback(authorizationUrl: string, members: Readonly<Record<string, string>> = {}): string {
    const { searchParams: asked } = new URL(authorizationUrl);
    this.#nonce = asked.get('nonce') ?? '';
    this.#challenge = asked.get('code_challenge') ?? '';
    const state = asked.get('state') ?? '';
    return new URLSearchParams({ code: 'c1', state, iss: this.issuer, ...members }).toString();
  }

  /** The challenge that the last browser came with. */
  get challenge(): string {
    return this.#challenge;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '' } = request;
    this.asked.push(path);
    if (this.instead(request, response)) return;
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (path === '/.well-known/openid-configuration') send(200, this.#discovery());
    else if (path === '/keys') send(200, { keys: this.keys });
    else if (path === '/token') {
      this.forms.push(new URLSearchParams(await text(request)));
      const iat = Math.floor(Date.now() / 1_000);
      const claims = {
        ...{ iss: this.issuer, aud: CLIENT.client_id, sub: 'u1', nonce: this.#nonce },
        ...{ iat, exp: iat + 300, preferred_username: 'ann', groups: ['memory'] },
      };
      const id_token = this.makeToken(claims, this);
      send(200, { access_token: 'a', token_type: 'Bearer', id_token });
    } else send(404, {});
  }

  #discovery(): Members {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      authorization_response_iss_parameter_supported: true,
      ...this.stated,
    };
  }
}
