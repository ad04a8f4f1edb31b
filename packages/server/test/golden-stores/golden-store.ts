/** A small store of one release, as every later one has to open it: how it is filled and asked. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Keep, openKeep } from '@agentkeep/core';
import { ManualClock } from '@agentkeep/core/testing';
import { COMPANY, fillCompany, PASSWORD } from '@agentkeep/example-company/fill-company';
import { fillLearning } from '@agentkeep/example-company/fill-learning';
import { scopes } from '@agentkeep/example-company/memories';
import { createServer } from '../../src/http/create-server.js';

/** Where the stores are, each in a folder with the name of its release. */
export const FOLDER = fileURLToPath(new URL('stores', import.meta.url));

const DATA = 'data.mdb';
const MANIFEST = 'agentkeep.json';
const ANSWERS = 'answers.json';

const BEGIN_MS = Date.UTC(2026, 3, 1, 8);
const ASKED_MS = BEGIN_MS + 86_400_000;

/** What a server answered from a store, by the request. */
type Answers = Readonly<Record<string, unknown>>;

/** What is known of a store beside its files. */
export interface Golden {
  /** The secret of a program that may see everything. */
  readonly secret: string;
  /** A position in the changes of the desk, as a consumer keeps it across an upgrade. */
  readonly position: string;
  readonly answers: Answers;
}

const lists = [
  ...['credentials', 'subjects', 'erasures', 'access/scopes', 'access/subjects', 'webhooks'],
  ...['memory/retention', 'memory/consumers', 'memory/branches', 'memory/proposals'],
  ...['learning/policies', 'learning/contexts', 'identity/issuers'],
];

/** What the program asks for, and what the owner does, who signs in with a password. */
const ofProgram = [
  '/api/v1/identity',
  ...lists.map((list) => `/api/v1/${list}?contract_version=1`),
];
const ofOwner = ['users', 'keys', 'lockouts', 'sign-in/settings'].map((list) => `/api/v1/${list}`);

const deskChanges =
  '/api/v1/memory/changes?contract_version=1&project_id=support&agent_id=desk&visibility=shared';
const questions = ['returns', 'bikes battery', 'delivery Tuesdays'];

/** Fills an empty directory with the made-up company, and returns the secret of its program. */
export async function fillDirectory(dataDir: string): Promise<string> {
  const clock = new ManualClock(BEGIN_MS);
  await using keep = await openKeep({ dataDir, clock });
  const passTime = () => {
    clock.advance(60_000);
  };
  const { setup } = await fillCompany(keep, passTime);
  await fillLearning(keep, passTime);
  const { secret } = await setup.credentials.issue({
    subject_id: 'auditor',
    capabilities: ['credential_admin', 'memory_read', 'policy_admin', 'experience_read'],
    grants: Object.values(scopes).map((scope) => ({ mission_id: null, ...scope })),
  });
  return secret;
}

/** Opens a directory a day after it was filled. */
export function openFilled(dataDir: string): Promise<Keep> {
  return openKeep({ dataDir, clock: new ManualClock(ASKED_MS) });
}

/** Asks for a position after the first changes of the desk. */
export async function positionIn(keep: Keep, secret: string): Promise<string> {
  const { body } = await asking(keep)(`${deskChanges}&limit=3`, secret);
  return String((body['page'] as Record<string, unknown>)['next_after']);
}

/** Asks a server over a store for what its program and its owner may see. */
export async function answersOf(
  keep: Keep,
  { secret, position }: Omit<Golden, 'answers'>,
): Promise<Answers> {
  const ask = asking(keep);
  const login = { tenant_id: COMPANY, username: 'mara', password: PASSWORD };
  const { status, body } = await ask('/api/v1/auth/login', '', login);
  const answers: Record<string, unknown> = { '/api/v1/auth/login': { status } };
  for (const path of ofOwner) answers[path] = await ask(path, String(body['access_token']));
  for (const path of ofProgram) answers[path] = await ask(path, secret);
  answers[deskChanges] = await ask(`${deskChanges}&limit=5&after=${position}`, secret);
  for (const [name, scope] of Object.entries(scopes)) {
    for (const text of questions) {
      const words = { text, match: 'any', forms: 'english' };
      const search = { contract_version: 1, scopes: [{ mission_id: null, ...scope }] };
      const sent = { ...search, filter: { words }, order: 'best_words' };
      answers[`${name}: ${text}`] = await ask('/api/v1/memory/search', secret, sent);
    }
  }
  return JSON.parse(JSON.stringify(answers, withoutPositions)) as Answers;
}

function asking(keep: Keep) {
  const app = createServer(keep);
  return async (path: string, token: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await app.request(`http://127.0.0.1${path}`, { headers, ...sent });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
}

/** Positions and cursors are sealed, so that the same one is another text each time. */
function withoutPositions(member: string, value: unknown): unknown {
  const isSealed = ['position', 'cursor', 'next_after', 'next_cursor'].includes(member);
  return isSealed && typeof value === 'string' ? 'a position' : value;
}

/** Packs what is in a directory under the name of a release. */
export async function packGolden(name: string, dataDir: string): Promise<void> {
  const folder = join(FOLDER, name);
  await mkdir(folder, { recursive: true });
  const data = await readFile(join(dataDir, DATA));
  await writeFile(join(folder, `${DATA}.gz`), gzipSync(data, { level: 9 }));
  await writeFile(join(folder, MANIFEST), await readFile(join(dataDir, MANIFEST)));
}

/** Keeps what was answered from the store of a release. */
export async function writeAnswers(name: string, golden: Golden): Promise<void> {
  await writeFile(join(FOLDER, name, ANSWERS), `${JSON.stringify(golden, null, 2)}\n`);
}

/** Unpacks the store of a release into an empty directory. */
export async function unpackGolden(name: string, dataDir: string): Promise<Golden> {
  const folder = join(FOLDER, name);
  await writeFile(join(dataDir, DATA), gunzipSync(await readFile(join(folder, `${DATA}.gz`))));
  await writeFile(join(dataDir, MANIFEST), await readFile(join(folder, MANIFEST)));
  return JSON.parse(await readFile(join(folder, ANSWERS), 'utf8')) as Golden;
}
