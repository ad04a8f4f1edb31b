/**
 * The fuzzer finds errors: it reports and shrinks each kind of damage to the answers of a server.
 */
import { expect, test } from 'vitest';
import { Checker } from './checker.js';
import { readContract } from './contract-operations.js';
import { curlOf } from './curl.js';
import { type Failure, Round } from './round.js';
import { openServer } from './server-under-test.js';
import { Statuses } from './statuses.js';
import { appTransport } from './transport.js';

const REQUESTS = 400;
const seed = 7;

type Damage = (answer: Response, text: string, request: Request) => Response | undefined;

/** Returns the failures that the fuzzer finds when answers are damaged after the setup. */
async function failuresWith(damage: Damage): Promise<Failure[]> {
  await using server = await openServer('lifted');
  const { app } = server;
  const text = await (await app.request('/openapi.json')).text();
  const damaged = {
    fetch: async (request: Request) => {
      const answer = await app.fetch(request);
      return damage(answer, await answer.clone().text(), request) ?? answer;
    },
  };
  const round = await Round.begin({
    seed,
    contract: readContract(text),
    checker: new Checker(text),
    server,
    transport: appTransport(damaged),
    statuses: new Statuses(),
    isTimed: false,
  });
  const failures: Failure[] = [];
  for (let sent = 0; sent < REQUESTS && failures.length < 3; sent += 1) {
    const failure = await round.step();
    if (failure !== undefined) failures.push(failure);
  }
  return failures;
}

const rewritten = ({ status, headers }: Response, text: string): Response =>
  new Response(text, { status, headers });

test.each<[string, Damage, RegExp]>([
  ['a 500', ({ headers }) => new Response('{}', { status: 500, headers }), /^a 500\b/],
  [
    'an unknown member',
    (answer, text) => rewritten(answer, text.replace(/^\{/, '{"x":1,')),
    /must NOT have additional/,
  ],
  [
    'an undocumented status',
    (answer, text) =>
      answer.status === 200
        ? new Response(text, { status: 202, headers: answer.headers })
        : undefined,
    /202 is not in the contract/,
  ],
  [
    'a header that is missing',
    (answer) => {
      answer.headers.delete('x-content-type-options');
      return answer;
    },
    /lacks X-Content-Type-Options/,
  ],
  [
    'an error of another operation',
    (answer, text) => rewritten(answer, text.replaceAll('forbidden', 'conflict')),
    /conflict|must be equal to one of/,
  ],
])('%s is reported', async (_name, damage, complaint) => {
  const [failure] = await failuresWith(damage);
  expect(failure?.complaints.join()).toMatch(complaint);
});

test('data of another tenant is reported', async () => {
  const leaking: Damage = (answer, text) =>
    rewritten(answer, text.replace('"message":"', '"message":"only-for-beta '));
  const complaints = (await failuresWith(leaking)).flatMap((failure) => failure.complaints);
  expect(complaints).toContain('data of beta');
});

test('a secret that is returned again is reported', async () => {
  const leaking: Damage = (answer, text, request) => {
    const proof = request.headers.get('authorization')?.slice('Bearer '.length) ?? '';
    return rewritten(
      answer,
      text.replace(/"message":"/, () => `"message":"${proof}`),
    );
  };
  const complaints = (await failuresWith(leaking)).flatMap((failure) => failure.complaints);
  expect(complaints).toContain('a secret outside of its one answer');
});

test('a failing request is shrunk to the necessary parts, and shown as a command', async () => {
  const refusing: Damage = ({ headers }, _text, request) =>
    request.headers.has('content-type') ? new Response('{}', { status: 500, headers }) : undefined;
  const [failure] = await failuresWith(refusing);
  expect(failure?.smallest.headers.map(([name]) => name)).toEqual(['Content-Type']);
  expect(failure?.smallest.body).toBeUndefined();
  expect(curlOf(failure!.smallest)).toMatch(
    /^curl --path-as-is -X \w+ 'http:.*' -H 'Content-Type: /,
  );
});

/** Ids, and cursors, which hold ids. */
const MADE = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|[\w-]{32,}/g;

/** Returns what numbers ids and cursors by their first appearance. */
function numbering(): (text: string) => string {
  const known = new Map<string, number>();
  const numberOf = (made: string): string => {
    const number = known.get(made) ?? known.size;
    known.set(made, number);
    return `#${number}`;
  };
  return (text) => text.replaceAll(MADE, numberOf);
}

// An erasure that goes on in the background makes ids too, so they are compared by their numbers.
test('the same seed chooses the same requests', async () => {
  const sentWith = async (): Promise<string[]> => {
    const sent: string[] = [];
    const numbered = numbering();
    await failuresWith((_answer, _text, { method, url }) => {
      sent.push(numbered(`${method} ${url}`));
      return undefined;
    });
    return sent;
  };
  expect(await sentWith()).toEqual(await sentWith());
});
