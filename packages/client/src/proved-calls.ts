/**
 * The operations of a server by their names, for programs that choose among them: the command line,
 * for one. `connect()` gives the same calls as methods.
 */
import {
  AgentkeepError,
  type CallOperation,
  type CallOptions,
  loginDocument,
  type LoginInput,
  type LoginTokens,
  refuseUnknownOptions,
  requireArguments,
} from '@agentkeep/core/clients';
import { callServer, callsOf } from './calls.js';
import { type CallerKey, provingFetch } from './caller-key.js';
import { HeldSecret } from './held-secret.js';
import { type CheckedServer, checkedServer, type ServerAddress } from './server-address.js';

/** A server to call, and the secret or the key to call it with. */
export interface ProvedAddress extends ServerAddress {
  /** Secret of a credential or of a session, an access token, or an API key. */
  readonly secret?: string | undefined;
  /**
   * Instead of a secret: the private key of a credential that was issued for its public key, and
   * the token that names the credential. Each request proves the key (RFC 9449).
   */
  readonly key?: CallerKey | undefined;
  /**
   * Instead of a secret: where the program runs proves it. Its assertion is exchanged for tokens of
   * the credential, which are renewed before they end.
   */
  readonly workload?: Workload | undefined;
}

/** A program that a trusted issuer proves, as GitHub Actions or Kubernetes. */
interface Workload {
  /** Id of a credential that was issued with `credentials.issueFederated()`. */
  readonly credentialId: string;
  /** Returns a signed JWT of the issuer, as the content of a file of Kubernetes. */
  readonly assertion: () => string | Promise<string>;
}

/** The options of `connect()` that no call needs. */
interface Embedding {
  readonly embed?: unknown;
  readonly embeddingSpace?: unknown;
}

/** The options of `connect()`. */
const OPTIONS: readonly (keyof ProvedAddress | keyof Embedding)[] = [
  ...([
    'url',
    'secret',
    'key',
    'workload',
    'embed',
    'embeddingSpace',
    'retry',
    'timeoutMillis',
  ] as const),
  ...(['fetch', 'clock', 'random'] as const),
];

/** A server, and the person who logs in to it. */
export type LogInOptions = ServerAddress & LoginInput;

/** What no header can hold. The error of a runtime for it would quote the secret. */
const UNSENDABLE = /\p{Cc}/u;

/** The calls of a person who has logged in. */
export interface LoggedInCalls {
  readonly call: CallOperation;
  readonly tokens: LoginTokens;
}

/**
 * Returns the calls that a secret proves. Sends nothing before the first call.
 * @throws {AgentkeepError} `invalid_request` for a wrong option.
 */
export function connectCalls(options: ProvedAddress, caller = 'connectCalls()'): CallOperation {
  const server = checkedServer(caller, options);
  refuseUnknownOptions<ProvedAddress & Embedding>(caller, options, OPTIONS);
  const { secret = '', key, workload } = options;
  requireOneProof(caller, options);
  if (workload !== undefined) return callsOf(server, exchanged(server, workload, caller));
  if (key !== undefined) {
    requireArguments(caller, { 'key.token': key.token, 'key.privateKey': key.privateKey });
    const fetch = provingFetch(server.fetch, key, server.clock);
    return callsOf({ ...server, fetch }, new HeldSecret(undefined));
  }
  requireArguments(caller, { secret: options.secret });
  if (UNSENDABLE.test(secret)) {
    const members = [{ path: 'secret', expected: 'one line without control characters' }];
    const message = `${caller}: \`secret\` holds line breaks or other control characters. A secret is one line.`;
    throw new AgentkeepError('invalid_request', { members, message });
  }
  return callsOf(server, new HeldSecret(secret));
}

/**
 * Refuses two proofs for the same calls.
 *
 * @throws {AgentkeepError} `invalid_request`
 */
function requireOneProof(caller: string, { secret, key, workload }: ProvedAddress): void {
  const given = Object.entries({ secret, key, workload }).filter(([, it]) => it !== undefined);
  const [first, second] = given.map(([name]) => name);
  if (first === undefined || second === undefined) return;
  const members = [{ path: second, expected: `no value beside \`${first}\`` }];
  const message = `${caller}: give either \`${first}\` or \`${second}\`.`;
  throw new AgentkeepError('invalid_request', { members, message });
}

/** Returns the token that the assertions of a workload are exchanged for. */
function exchanged(server: CheckedServer, workload: Workload, caller: string): HeldSecret {
  const { credentialId, assertion } = workload;
  const renew = async () => {
    const stated = (await assertion()).trim();
    const document = {
      contract_version: 1,
      credential_id: credentialId,
      assertion: stated,
    } as const;
    return callServer(server, undefined, 'issueFederatedToken', { document });
  };
  requireArguments(caller, {
    'workload.credentialId': credentialId,
    'workload.assertion': assertion,
  });
  return new HeldSecret({ renew, clock: server.clock });
}

/**
 * Logs a person in and returns the calls of the account. They renew the access token shortly before
 * it ends, for as long as the session lasts.
 * @throws {AgentkeepError} `invalid_login` for a wrong name, password or tenant; `account_locked`
 * after too many failures; `login_busy`.
 */
export async function logInCalls(
  options: LogInOptions,
  callOptions?: CallOptions,
): Promise<LoggedInCalls> {
  const document = loginDocument(options);
  const server = checkedServer('logIn()', options);
  const tokens = await callServer(server, undefined, 'authLogin', { document }, callOptions);
  return { call: callsOf(server, renewed(server, tokens)), tokens };
}

/** Returns the access token of a login, which is renewed. */
function renewed(server: CheckedServer, tokens: LoginTokens): HeldSecret {
  const document = { refresh_token: tokens.refresh_token };
  const renew = () => callServer(server, undefined, 'authRefresh', { document });
  return new HeldSecret({ first: tokens, renew, clock: server.clock });
}
