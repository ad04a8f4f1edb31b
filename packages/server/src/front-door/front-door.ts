/** The front door: where people log in, and where programs ask to act for them. */
import type { Keep, KeepPorts } from '@agentkeep/core';
import { endFromPage, showAccount } from './pages/account-page.js';
import { authorize } from './authorize.js';
import { ClientDocuments } from './provider/client-documents.js';
import { AuthorizationProvider } from './provider/authorization-provider.js';
import { BrowserCookies } from './pages/browser-session.js';
import { answerConsent, type ConsentParts, showConsent } from './consent/consent-page.js';
import type { DoorAnswer, DoorRequest } from './request/door-request.js';
import { doorPaths } from './request/door-paths.js';
import { logIn, showLogin } from './pages/login-page.js';
import { beginSignIn, completeSignIn, logOutByIssuer } from './pages/sign-in.js';
import { logOut } from './pages/logout.js';
import { answerProgramGrant, answerRegistration, answerRevocation } from './program-requests.js';
import {
  authorizationServerMetadata,
  type MetadataParts,
  protectedResourceMetadata,
} from './server-metadata.js';

/** Settings of the front door. */
export interface FrontDoorOptions {
  /**
   * The address under which browsers and programs reach the server: an origin such as
   * `https://keep.example.com`, or http on loopback.
   */
  readonly publicUrl: string;
  /** Whether any program may register (RFC 7591). Default: false. */
  readonly clientRegistration?: boolean;
  /**
   * Fetches the documents that programs publish of themselves. Default: none can be fetched, so
   * only registered programs can ask. `httpDocumentFetcher()` makes one.
   */
  readonly documentFetcher?: KeepPorts['documentFetcher'];
}

/** What the front door does, by name. */
export const doorActions = [
  ...['showLogin', 'logIn', 'logOut', 'showAccount', 'endFromPage'],
  ...['beginSignIn', 'completeSignIn', 'logOutByIssuer'],
  ...['authorize', 'showConsent', 'answerConsent', 'revoke', 'register'],
  ...['authorizationServer', 'protectedResource', 'protectedMcp'],
] as const;

/** Something that the front door does. */
export type DoorAction = (typeof doorActions)[number];

/** What the server serves beside the front door. */
interface ServedBeside {
  readonly hasMcp: boolean;
  readonly hasConsole: boolean;
}

/** The front door of one server. */
export class FrontDoor {
  readonly #server: AuthorizationProvider;
  readonly #metadata: MetadataParts;
  readonly #parts: ConsentParts;

  constructor(keep: Keep, options: FrontDoorOptions, has: ServedBeside) {
    const { publicUrl, clientRegistration: allowsRegistration = false, documentFetcher } = options;
    const { grants } = keep;
    const server = new AuthorizationProvider({
      ...{ publicUrl, allowsRegistration, grants },
      documents: new ClientDocuments(documentFetcher),
    });
    this.#server = server;
    const { hasMcp, hasConsole } = has;
    this.#metadata = { publicUrl, allowsRegistration, hasMcp };
    this.#parts = { publicUrl, hasConsole, server, cookies: new BrowserCookies(publicUrl) };
  }

  /** Returns where programs find out how to get a token for this server, or for its MCP. */
  resourceMetadata(isMcp: boolean): string {
    const { protectedMcp, protectedResource } = doorPaths;
    return this.#metadata.publicUrl + (isMcp ? protectedMcp : protectedResource);
  }

  /** Answers a token request of a program that a person connected. */
  programGrant(request: DoorRequest): Promise<DoorAnswer> {
    return answerProgramGrant(request, this.#server);
  }

  /** Answers a request. */
  answer(action: DoorAction, request: DoorRequest): Promise<DoorAnswer> {
    const [parts, server] = [this.#parts, this.#server];
    switch (action) {
      case 'showLogin':
        return showLogin(request, parts);
      case 'logIn':
        return logIn(request, parts);
      case 'beginSignIn':
        return beginSignIn(request, parts);
      case 'completeSignIn':
        return completeSignIn(request, parts);
      case 'logOutByIssuer':
        return logOutByIssuer(request);
      case 'logOut':
        return logOut(request, parts);
      case 'showAccount':
        return showAccount(request, parts);
      case 'endFromPage':
        return endFromPage(request, parts);
      case 'authorize':
        return authorize(request, parts);
      case 'showConsent':
        return showConsent(request, parts);
      case 'answerConsent':
        return answerConsent(request, parts);
      case 'revoke':
        return answerRevocation(request, server);
      case 'register':
        return answerRegistration(request, server);
      case 'authorizationServer':
      case 'protectedResource':
      case 'protectedMcp':
        return this.#document(action, request);
    }
  }

  async #document(
    action: 'authorizationServer' | 'protectedResource' | 'protectedMcp',
    { calls }: DoorRequest,
  ): Promise<DoorAnswer> {
    await calls.count(undefined);
    switch (action) {
      case 'authorizationServer':
        return authorizationServerMetadata(this.#metadata);
      case 'protectedResource':
        return protectedResourceMetadata(this.#metadata, '');
      case 'protectedMcp':
        return protectedResourceMetadata(this.#metadata, '/mcp');
    }
  }
}
