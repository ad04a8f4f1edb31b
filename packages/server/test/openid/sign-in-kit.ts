/** A keep whose people sign in by an issuer on loopback, with an app over it. */
import { type Agent, AgentkeepError, inMemoryStore, openKeep, type Store } from '@agentkeep/core';
import { bootstrapTenant, createAdmin } from '@agentkeep/core/operator';
import { type ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { connect } from '@agentkeep/client';
import {
  createServer,
  httpDocumentFetcher,
  openidProtocol,
  type ServerOptions,
} from '../../src/index.js';
import { CLIENT } from './people-provider.js';

/** Where the issuer sends browsers when a program signs people in. */
export const REDIRECT = 'https://memory.example.test/back';

const PASSWORD = 'Correct-Horse-7';

/** Parts of a served keep. */
interface ServedOptions extends ServerOptions {
  readonly store?: Store;
  readonly allowedAddresses?: readonly string[];
  readonly clock?: ManualClock;
  /** The address of the server for browsers. Default: there is no front door. */
  readonly publicUrl?: string;
  /** Whether the tenant is made. Default: true. */
  readonly isFirst?: boolean;
}

/** Serves a tenant, `acme`, with the SuperAdmin `chief`. */
export async function served({
  store = inMemoryStore(),
  allowedAddresses = ['127.0.0.1'],
  clock,
  isFirst = true,
  publicUrl,
  ...options
}: ServedOptions = {}) {
  const keep = await openKeep({
    ...{ store, passwords: quickPasswords, ...(clock === undefined ? {} : { clock }) },
    documentFetcher: httpDocumentFetcher({ allowedAddresses }),
    signInProtocol: openidProtocol({ allowedAddresses }),
  });
  if (isFirst) {
    await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
    await createAdmin(keep, { username: 'chief', password: PASSWORD, tenantId: 'acme' });
    await createAdmin(keep, { username: 'root', password: PASSWORD });
  }
  const door = publicUrl === undefined ? {} : { frontDoor: { publicUrl } };
  const app = createServer(keep, { ...door, ...options });
  const url = 'https://localhost';
  const fetch = (input: string, init?: RequestInit) => Promise.resolve(app.request(input, init));
  const logIn = async (tenantId?: string) => {
    const login = { username: tenantId === undefined ? 'root' : 'chief', password: PASSWORD };
    const { tokens } = await keep.logIn({
      ...login,
      ...(tenantId === undefined ? {} : { tenantId }),
    });
    return connect({ url, secret: tokens.access_token, fetch });
  };
  const at = (secret: string): Agent => connect({ url, secret, fetch });
  return {
    ...{ keep, app, fetch, at, chief: await logIn('acme'), root: await logIn() },
    [Symbol.asyncDispose]: () => keep.close(),
  };
}

/** A served keep. */
export type Served = Awaited<ReturnType<typeof served>>;

/** Everybody of the group `memory` gets an account. */
const RULES = [
  {
    claims: [{ path: ['groups'], value: 'memory' }],
    roles: ['Write'],
    creates_accounts: true,
  },
];

/** Names an issuer in the settings of the tenant. */
export async function trust(
  { chief }: Served,
  issuer: string,
  members: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { revision } = await chief.signIn.settings();
  const stated = { name: 'staff', issuer, ...CLIENT, rules: RULES, ...members };
  await chief.signIn.putSettings({ issuers: [stated] }, revision);
}

/** Returns the error code of work, or `none` if it succeeds. */
export function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (error instanceof AgentkeepError ? error.code : String(error)),
  );
}

/** Returns the reasons of refused sign-ins in the log of an authority, oldest first. */
export async function reasonsOf(agent: Agent, tenantId: string | null): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const event of agent.audit.query({ eventType: 'login_failed' })) {
    if (event.action === 'sign_in' && event.tenant_id === tenantId) {
      found.push(event.metadata['reason']);
    }
  }
  return found.reverse();
}
