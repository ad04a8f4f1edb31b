/**
 * Several servers over one store, like several processes over one database: each is a keep with its
 * own clock and ids.
 */
import { generateKeyPairSync } from 'node:crypto';
import type { Administrator } from '../src/client/administrator.js';
import type { Agent } from '../src/client/agent.js';
import { type Keep, runtimeOf } from '../src/keep/keep.js';
import type { KeepPorts } from '../src/keep/keep-options.js';
import { openKeep } from '../src/keep/open-keep.js';
import { createAdmin } from '../src/operator.js';
import type { Runtime } from '../src/kernel/services/runtime.js';
import type { Store } from '../src/storage/store/store.js';
import { ManualClock } from '../src/testing/manual-clock.js';
import { quickPasswords } from '../src/testing/quick-passwords.js';
import { sharedTestStore } from '@agentkeep/testkit/test-store';

/** A valid password. */
export const PASSWORD = 'Correct-Horse-7';

/** One key for all, because generating one takes longer than most tests. */
export const privateKeyPem = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  .privateKey.export({ format: 'pem', type: 'pkcs8' })
  .toString();

/** Ports of a server, except its store. */
export type ServerPorts = Omit<KeepPorts, 'clock'> & {
  readonly clock?: ManualClock;
  /** Wraps the store of the server. */
  readonly through?: (store: Store) => Store;
};

/** One of several servers. */
export interface Server {
  readonly keep: Keep;
  readonly runtime: Runtime;
  readonly clock: ManualClock;
}

/** Several servers that share a store. */
export class Servers implements AsyncDisposable {
  /** The shared store, not opened through any server. */
  readonly store: Store;
  readonly #memory = sharedTestStore();
  readonly #opened: Keep[] = [];

  constructor() {
    this.store = this.#memory.open();
  }

  /** Opens another server. By default it hashes no passwords and signs with the common key. */
  async open({
    clock = new ManualClock(),
    through = (store) => store,
    ...ports
  }: ServerPorts = {}): Promise<Server> {
    const keep = await openKeep({
      store: through(this.#memory.open()),
      clock,
      passwords: quickPasswords,
      tokens: { privateKeyPem },
      ...ports,
    });
    this.#opened.push(keep);
    return { keep, runtime: runtimeOf(keep), clock };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const keep of this.#opened) await keep.close();
    await this.store.close();
  }
}

/** Two servers with the same time, and any further ones. */
export type TwoServers = Servers & { readonly one: Server; readonly other: Server };

/** Opens two servers over an empty store. */
export async function twoServers(ports: ServerPorts = {}): Promise<TwoServers> {
  const servers = new Servers();
  const clock = new ManualClock();
  const one = await servers.open({ clock, ...ports });
  const other = await servers.open({ clock, ...ports });
  return Object.assign(servers, { one, other });
}

/** Logs a user in on a server. The token is valid on all servers. */
export async function logIn(
  { keep }: Server,
  username: string,
): Promise<{ readonly agent: Agent; readonly token: string }> {
  const { agent, tokens } = await keep.logIn({ username, password: PASSWORD });
  return { agent, token: tokens.access_token };
}

/** Creates a SuperAdmin of the installation and logs in on a server. */
export async function administrator(server: Server, username = 'root'): Promise<Administrator> {
  const login = { username, password: PASSWORD };
  await createAdmin(server.keep, login);
  return (await server.keep.logIn(login)).administrator;
}

/** Returns the error code of the work, or `none` if it succeeds. */
export function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (error as { readonly code: string }).code,
  );
}
