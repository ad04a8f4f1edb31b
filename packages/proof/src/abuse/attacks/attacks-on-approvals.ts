/** Attacks by a person at the front door: requests left unanswered, and equal approvals. */
import { randomUUID } from 'node:crypto';
import { connect } from '@agentkeep/server/client';
import { FormBrowser, left, shown } from '@agentkeep/testkit/form-browser';
import { type AbusedSite, BAD, goodScope, PASSWORD, PUBLIC_URL } from '../abused-site.js';
import type { Attack, AttackResult, Stage } from '../attack.js';
import { inParallel } from '../in-parallel.js';
import { LocalClient } from '../local-client.js';

const PARALLEL = 16;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };
const REDIRECT = 'https://notes.example.test/callback';
const CLIENT_ID = `akp1.${Buffer.from(JSON.stringify({ redirect_uris: [REDIRECT] })).toString('base64url')}`;
/** Most requests, and most approvals, of an account that wait (docs/contract/oauth.md#oau-25). */
const WAITING_MAX = 16;
/** Approvals whose codes are tried. */
const TRIED = 24;
const VERIFIER = 'v'.repeat(43);
/** SHA-256 of the verifier. */
const CHALLENGE = '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM';

/** A person of the attacker's tenant, with rights to pass on. */
interface Person {
  readonly username: string;
  readonly token: string;
}

/** Makes an account with a credential, and logs it in. */
async function newPerson(site: AbusedSite, client: LocalClient): Promise<Person> {
  const { fetch } = client;
  const admin = connect({ url: site.url, secret: site.bad.admin, fetch });
  const username = `person-${randomUUID()}`;
  const { credential } = await admin.credentials.issue({
    ...{ subject_id: username, capabilities: ['memory_read'], grants: [goodScope] },
  });
  await admin.loginAccounts.create({ username, password: PASSWORD, credentialId: credential.id });
  const body = JSON.stringify({ username, password: PASSWORD, tenant_id: BAD });
  const init = { method: 'POST', headers: JSON_TYPE, body };
  const answer = await fetch(`${site.url}/api/v1/auth/login`, init);
  const { access_token: token } = (await answer.json()) as { readonly access_token: string };
  return { username, token };
}

/** A person who begins requests of programs and answers none. */
const unanswered: Attack = {
  name: 'unanswered requests of programs',
  run: async (stage) => {
    const { site, from, enough } = stage;
    using client = new LocalClient(site.url, from);
    const { token } = await newPerson(site, client);
    const session = `agentkeep_session=${token}`;
    const begun: { readonly path: string; readonly cookie: string }[] = [];
    const open = async (path: string, cookie: string) => {
      const answer = await client.fetch(site.url + path, { headers: { cookie } });
      await answer.text();
      return answer;
    };
    const storedMb = await site.storedMb();
    const wrong = await flooded(stage, async () => {
      const answer = await open(`/oauth/authorize?${asked()}`, session);
      const [cookie = ''] = (answer.headers.getSetCookie().at(0) ?? '').split(';');
      begun.push({ path: answer.headers.get('location') ?? '', cookie });
      return answer.status === 303 ? undefined : `A request: ${answer.status}`;
    });
    const growth = (await site.storedMb()) - storedMb;
    await enough;
    let waiting = 0;
    await inParallel(begun.length, PARALLEL, async (at) => {
      const { path, cookie } = begun[at] ?? { path: '', cookie: '' };
      if ((await open(path, `${session}; ${cookie}`)).status === 200) waiting += 1;
    });
    return outcomeOf(stage, wrong, { what: 'waiting requests', count: waiting, growth });
  },
};

/** A person who approves the same again and again, until the newest ones are redeemed. */
const equalApprovals: Attack = {
  name: 'equal approvals',
  run: async (stage) => {
    const { site, from, enough } = stage;
    using client = new LocalClient(site.url, from);
    const { username, token } = await newPerson(site, client);
    const body = JSON.stringify({
      ...{ client_id: CLIENT_ID, client_name: null, client_host: 'notes.example.test' },
      ...{ access: ['read'], grants: [{ mission_id: null, ...goodScope }], expires_in_days: 1 },
    });
    const headers = { ...JSON_TYPE, authorization: `Bearer ${token}` };
    const storedMb = await site.storedMb();
    const wrong = await flooded(stage, async () => {
      const init = { method: 'POST', headers, body };
      const answer = await client.fetch(`${site.url}/api/v1/connections`, init);
      await answer.text();
      return answer.status === 201 ? undefined : `An approval: ${answer.status}`;
    });
    const growth = (await site.storedMb()) - storedMb;
    const codes = await approvedCodes(site, client, username);
    const redeemed: boolean[] = [];
    for (const code of codes.toReversed()) redeemed.push(await isRedeemed(site, client, code));
    if (redeemed[0] !== true) wrong.add('The newest approval is not redeemed');
    await enough;
    const count = redeemed.filter(Boolean).length;
    return outcomeOf(stage, wrong, { what: 'waiting approvals', count, growth });
  },
};

/** Approves the same request of a program at the consent page, and returns the codes. */
async function approvedCodes(site: AbusedSite, client: LocalClient, username: string) {
  // People come by another address than this client.
  const request = (url: string, init: RequestInit): Promise<Response> =>
    client.fetch(site.url + url.slice(PUBLIC_URL.length), init);
  const browser = new FormBrowser({ request }, PUBLIC_URL);
  const login = await browser.page('/login');
  await browser.send(login, '/login', { username, password: PASSWORD, tenant: BAD });
  const codes: string[] = [];
  for (let at = 0; at < TRIED; at += 1) {
    const consent = shown(await browser.open(`/oauth/authorize?${asked()}`));
    const choice = { access: 'read', scope: '0', days: '1', answer: 'allow' };
    const answer = left(await browser.send(consent, consent.target, choice));
    codes.push(answer.searchParams.get('code') ?? '');
  }
  return codes;
}

async function isRedeemed(site: AbusedSite, { fetch }: LocalClient, code: string) {
  const body = form({
    ...{ grant_type: 'authorization_code', client_id: CLIENT_ID, redirect_uri: REDIRECT },
    ...{ code, code_verifier: VERIFIER },
  });
  const answer = await fetch(`${site.url}/oauth/token`, { method: 'POST', headers: FORM, body });
  await answer.text();
  return answer.status === 200;
}

/** Sends a flood; returns each answer that was wrong. */
async function flooded(
  { amounts }: Stage,
  send: () => Promise<string | undefined>,
): Promise<Set<string>> {
  const wrong = new Set<string>();
  await inParallel(amounts.flood, PARALLEL, async () => {
    const answer = await send();
    if (answer !== undefined) wrong.add(answer);
  });
  return wrong;
}

interface Left {
  readonly what: string;
  readonly count: number;
  /** MB that the stored files grew. */
  readonly growth: number;
}

function outcomeOf(
  { amounts }: Stage,
  wrong: Set<string>,
  { what, count, growth }: Left,
): AttackResult {
  if (count > WAITING_MAX) wrong.add(`An account has ${count} ${what}`);
  const figures = { [what]: count, [`MB of ${what}`]: Math.round(growth * 10) / 10 };
  return { attempts: amounts.flood, violations: [...wrong].map((each) => `${each}.`), figures };
}

function asked(): string {
  return form({
    ...{ response_type: 'code', client_id: CLIENT_ID, redirect_uri: REDIRECT },
    ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', state: randomUUID() },
  });
}

function form(members: Readonly<Record<string, string>>): string {
  return new URLSearchParams(members).toString();
}

/** All of them. */
export const attacksOnApprovals: readonly Attack[] = [unanswered, equalApprovals];
