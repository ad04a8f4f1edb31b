/**
 * Canaries (ASVS 14.2 and 16.2.5): one session of every operation, with every kind of secret. No
 * secret appears outside the response that delivers it: not in another response, a log line, an
 * audit event or a file of the data directory, as text or as bytes.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep, type OperationName } from '@agentkeep/core';
import { bootstrapMaster, bootstrapTenant, createAdmin } from '@agentkeep/core/operator';
import { newPassword, password } from '@agentkeep/testkit/operations';
import { expect, test } from 'vitest';
import { jsonLogger } from '../../src/log/logger.js';
import type { Parts } from '@agentkeep/contract-cases/answer';
import { appOf, httpTransport } from '@agentkeep/contract-cases/http-driver';
import { callOf, everyName } from './every-call.js';

/** Valid passwords, each of them sent; none may ever be returned. */
const PASSWORDS = [
  ...['Canary-Root-Pass-1', 'Canary-Wrong-Pass-2', 'Canary-Next-Pass-3'],
  ...[password, newPassword],
];
const [ROOT_PASSWORD = '', WRONG = '', NEXT = ''] = PASSWORDS;

/** Secrets pasted into name fields: stored and shown as such, but never logged. */
const DECOYS = [
  `ak1_${'d'.repeat(32)}_${'Decoy'.repeat(9).slice(0, 43)}`,
  `ak_live_${'Decoy'.repeat(8).slice(0, 38)}`,
  `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJkIn0.${'Decoy'.repeat(60)}`.slice(0, 250),
];

/** Members of responses that deliver a secret. */
const DELIVERS = new Set(['secret', 'access_token', 'refresh_token', 'token', 'key']);

/** Begins the token of a credential with a key, which is no secret (KCR-5). */
const NAME_OF_KEY = 'akk1_';

interface Delivered {
  readonly secret: string;
  /** Number of the response that delivered it. */
  readonly by: number;
}

/** All responses, and the secrets that they delivered. */
class Session {
  readonly answers: string[] = [];
  readonly delivered: Delivered[] = [];
  readonly #transport: ReturnType<typeof httpTransport>;

  constructor(transport: ReturnType<typeof httpTransport>) {
    this.#transport = transport;
  }

  /** Makes a call; returns the secret that it delivers, if any. */
  async call(name: OperationName, token: string | undefined, parts: Parts): Promise<string> {
    const { body } = await this.#transport(name, token, parts);
    const by = this.answers.push(JSON.stringify(body)) - 1;
    const found = deliveriesIn(body);
    for (const secret of found) this.delivered.push({ secret, by });
    return found[0] ?? '';
  }
}

function deliveriesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' && DELIVERS.has(name) && !member.startsWith(NAME_OF_KEY)
      ? [member]
      : deliveriesIn(member),
  );
}

async function setUp(directory: string) {
  const lines: string[] = [];
  const log = jsonLogger({ level: 'debug', write: (text) => lines.push(text) });
  const audit = { reads: true, logPath: join(directory, 'audit') };
  const keep = await openKeep({ dataDir: join(directory, 'data'), audit });
  const tenant = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const master = await bootstrapMaster(keep, 'root');
  await createAdmin(keep, { username: 'root', password: ROOT_PASSWORD });
  const session = new Session(httpTransport(appOf(keep, { log })));
  session.delivered.push({ secret: tenant.secret, by: -1 }, { secret: master.secret, by: -1 });
  return { keep, session, lines, log, tenant, master };
}

type Setting = Awaited<ReturnType<typeof setUp>>;

const version = { contract_version: 1 };
const revision = { ...version, expected_revision: 1 };

/** Delivers one secret of each kind, and sends each where it does not belong. */
async function deliverAll({ session, tenant, master }: Setting): Promise<string[]> {
  const logIn = (password: string) =>
    session.call('authLogin', undefined, { document: { username: 'root', password } });
  await logIn(WRONG);
  const root = await logIn(ROOT_PASSWORD);
  const key = await session.call('createApiKey', root, { document: { name: 'k' } });
  const account = { username: 'ann', password: NEXT };
  const bound = { ...version, ...account, credential_id: tenant.credential.id };
  await session.call('createTenantLoginAccount', tenant.secret, { document: bound });
  const opaque = await session.call('loginTenant', undefined, {
    document: { ...version, tenant_id: 'acme', ...account },
  });
  const chief = { ...version, username: 'root', password: ROOT_PASSWORD };
  await session.call('loginGlobal', undefined, { document: chief });
  const agent = await session.call('issueCredential', tenant.secret, callOf('issueCredential'));
  const delegate = await session.call(
    'issueGlobalCredential',
    master.secret,
    callOf('issueGlobalCredential'),
  );
  const registered = await session.call('registerTenant', master.secret, callOf('registerTenant'));
  const tokens = [root, key, opaque, tenant.secret, master.secret, agent, delegate, registered];
  for (const token of tokens) {
    await session.call('readToolExecutor', agent, { id: token });
    await session.call('inspectCredential', tenant.secret, { id: token });
    await session.call('queryAudit', root, { parameters: { username: token, action: token } });
    await session.call('whoAmI', `${token.slice(0, -2)}xx`, {});
    await session.call('revokeToken', undefined, { document: { token: `${token}x` } });
  }
  for (const username of DECOYS) {
    await session.call('createUser', root, { document: { username, password: WRONG } });
    await session.call('authLogin', undefined, { document: { username, password: username } });
    await session.call('lockAccount', root, { id: 'eve', document: { reason: username } });
  }
  return tokens;
}

/** Calls every operation with every token; operations that end something come last. */
async function callAll({ session, tenant }: Setting, tokens: readonly string[]): Promise<void> {
  const last: OperationName[] = ['logout', 'authLogout'];
  const names = everyName.filter((name) => name !== 'createSnapshot' && !last.includes(name));
  for (const name of [...names, ...last]) {
    for (const token of tokens.slice(0, 5)) await session.call(name, token, callOf(name));
  }
  const id = tenant.credential.id;
  const rotated = await session.call('rotateCredential', tenant.secret, { id, document: revision });
  await session.call('listTenantCredentials', rotated, { parameters: version });
  await session.call('queryAudit', rotated, { parameters: { limit: 1_000 } });
}

/** Returns the forms in which a secret could appear. */
function formsOf(secret: string): Buffer[] {
  const isWhole = PASSWORDS.includes(secret) || secret.startsWith('ak_live_');
  if (isWhole) return [Buffer.from(secret)];
  // A JWT is identified by its signature, all other secrets by their last 32 random bytes.
  const random = secret.startsWith('eyJ') ? (secret.split('.').at(-1) ?? '') : secret.slice(-43);
  const bytes = Buffer.from(random, 'base64url');
  return [Buffer.from(random), bytes, Buffer.from(bytes.toString('hex'))];
}

async function filesOf(directory: string): Promise<[string, Buffer][]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ parentPath, name }): Promise<[string, Buffer]> => {
      return [name, await readFile(join(parentPath, name))];
    }),
  );
}

test('a secret appears only in the response that delivers it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'agentkeep-canary-'));
  const setting = await setUp(directory);
  const { session, keep, lines, log } = setting;
  await callAll(setting, await deliverAll(setting));
  log.flush();
  await keep.close();

  const secrets = [...session.delivered, ...PASSWORDS.map((secret) => ({ secret, by: -1 }))];
  const kinds = new Set(secrets.map(({ secret }) => /^(?:ak\w*?_|eyJ)/.exec(secret)?.[0] ?? ''));
  expect([...kinds].toSorted()).toEqual([
    '',
    'ak1_',
    'ak_',
    'akg1_',
    'akr1_',
    'aksg1_',
    'akst1_',
    'eyJ',
  ]);
  const files = await filesOf(directory);
  expect(files.map(([name]) => name)).toContain('data.mdb');
  const written: [string, Buffer][] = [...files, ['the log', Buffer.from(lines.join(''))]];
  for (const { secret, by } of secrets) {
    const forms = formsOf(secret);
    for (const [name, content] of written) {
      const isThere = forms.some((form) => content.includes(form));
      expect(isThere, `${secret.slice(0, 9)}… in ${name}`).toBe(false);
    }
    const text = forms[0]?.toString() ?? '';
    const shownBy = session.answers.flatMap((answer, at) =>
      at !== by && answer.includes(text) ? [answer.slice(0, 300)] : [],
    );
    expect(shownBy, secret.slice(0, 9)).toEqual([]);
  }
  await rm(directory, { recursive: true });
});
