/** How long documents of programs count. */
import type { KeepPorts } from '@agentkeep/core';
import { expect, test } from 'vitest';
import { ClientDocuments, isDocumentAddress } from './client-documents.js';

const url = 'https://notes.example/client.json';
const usual = { client_id: url, redirect_uris: ['https://notes.example/cb'] };

type Fetched = Awaited<ReturnType<NonNullable<KeepPorts['documentFetcher']>['fetch']>>;

/** Documents whose host answers as a test says, and a clock. */
function site() {
  const here = {
    nowMs: 1_000_000,
    asked: 0,
    answer: { kind: 'failed', reason: 'timeout' } as Fetched,
    kindOf: async (address = url, principal = 'ann') =>
      (await documents.find(address, { tenant: 'acme', principal })).kind,
  };
  const fetch = () => {
    here.asked += 1;
    return Promise.resolve(here.answer);
  };
  const documents = new ClientDocuments({ fetch }, () => here.nowMs);
  return here;
}

function document(members: object = {}, maxAgeSecs?: number): Fetched {
  return { kind: 'fetched', body: JSON.stringify({ ...usual, ...members }), maxAgeSecs };
}

test.each([
  [undefined, 30],
  [0, 30],
  [29, 30],
  [3_600, 3_600],
  [86_400, 86_400],
  [9_999_999, 86_400],
])('OAU-34 a document with max-age %s is kept for %s seconds', async (maxAge, keptSecs) => {
  const here = site();
  here.answer = document({}, maxAge);
  expect(await here.kindOf()).toBe('known');
  here.nowMs += keptSecs * 1_000 - 1;
  expect(await here.kindOf()).toBe('known');
  expect(here.asked).toBe(1);
  here.nowMs += 1;
  expect(await here.kindOf()).toBe('known');
  expect(here.asked).toBe(2);
});

test.each([
  document({ client_id: 'https://notes.example/other.json' }),
  document({ redirect_uris: ['web+evil://claude.ai/cb'] }, 86_400),
  { kind: 'fetched', body: 'no JSON' } as const,
  { kind: 'failed', reason: 'status', status: 404 } as const,
  { kind: 'failed', reason: 'too_large' } as const,
  { kind: 'failed', reason: 'address_refused' } as const,
])('OAU-34, OAU-35 a refused document is not fetched twice: %j', async (answer) => {
  const here = site();
  here.answer = answer;
  expect([await here.kindOf(), await here.kindOf(url, 'bob')]).toEqual(['refused', 'refused']);
  expect(here.asked).toBe(1);
  here.nowMs += 30_000;
  here.answer = document();
  expect(await here.kindOf()).toBe('known');
});

test.each([
  { kind: 'failed', reason: 'timeout' } as const,
  { kind: 'failed', reason: 'unreachable' } as const,
  { kind: 'failed', reason: 'status', status: 503 } as const,
  { kind: 'failed', reason: 'status', status: 429 } as const,
])('OAU-35 a failed fetch takes no known document away: %j', async (failure) => {
  const here = site();
  here.answer = failure;
  expect([await here.kindOf(), await here.kindOf()]).toEqual(['unavailable', 'unavailable']);
  expect(here.asked).toBe(1);
  here.nowMs += 10_000;
  here.answer = document({}, 60);
  expect(await here.kindOf()).toBe('known');
  here.answer = failure;
  here.nowMs += 60_000;
  expect([await here.kindOf(), await here.kindOf()]).toEqual(['known', 'known']);
  expect(here.asked).toBe(3);
  here.nowMs += 86_400_000;
  expect(await here.kindOf()).toBe('unavailable');
  expect(here.asked).toBe(4);
});

test('OAU-35 what was not asked for is asked for by the next request', async () => {
  const here = site();
  here.answer = { kind: 'failed', reason: 'busy' };
  expect(await here.kindOf()).toBe('unavailable');
  here.answer = document();
  expect(await here.kindOf()).toBe('known');
});

test('one request asks once, and a document that is withdrawn counts no more', async () => {
  let asked = 0;
  let answer: Fetched = { kind: 'failed', reason: 'busy' };
  const fetch = () => {
    asked += 1;
    return Promise.resolve(answer);
  };
  let nowMs = 0;
  const documents = new ClientDocuments({ fetch }, () => nowMs);
  const request = { tenant: 'acme', principal: 'ann' };
  await Promise.all([documents.find(url, request), documents.find(url, request)]);
  await documents.find(url, request);
  expect(asked).toBe(1);
  answer = document();
  expect((await documents.find(url, { ...request })).kind).toBe('known');
  nowMs += 30_000;
  answer = { kind: 'failed', reason: 'status', status: 410 };
  expect((await documents.find(url, { ...request })).kind).toBe('refused');
});

test('who has many documents fetched pushes out its own', async () => {
  const here = site();
  const at = (index: number): string => `https://notes.example/${index}`;
  const known = async (address: string, principal: string) => {
    here.answer = document({ client_id: address }, 86_400);
    return here.kindOf(address, principal);
  };
  await known(url, 'ann');
  for (let index = 0; index < 1_200; index += 1) await known(at(index), 'mallory');
  const { asked } = here;
  await known(url, 'ann');
  expect(here.asked).toBe(asked);
  await known(at(0), 'mallory');
  expect(here.asked).toBe(asked + 1);
});

test('OAU-28 the address of a document is spelled as browsers spell it', () => {
  expect(
    [url, 'https://notes.example/', 'https://notes.example/a?b'].map(isDocumentAddress),
  ).toEqual([true, true, true]);
  for (const wrong of [
    ...['http://notes.example/c', 'https://notes.example/a/../c', 'https://a@notes.example/c'],
    ...['https://notes.example/c#d', 'https://NOTES.example/c', 'https://notes.example:443/c'],
    ...['https:/notes.example/c', 'https://notes.example\\c', ' https://notes.example/c', 'notes'],
  ]) {
    expect([wrong, isDocumentAddress(wrong)]).toEqual([wrong, false]);
  }
});
