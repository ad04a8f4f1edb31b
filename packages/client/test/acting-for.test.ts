/** A service acts for its subjects with one secret; tokens are kept and renewed before they end. */
import { expect, test } from 'vitest';
import { connect } from '../src/index.js';
import { FakeClock, FakeServer, json, type Prepared, refusal } from './fake-server.js';

function setUp(token?: Prepared) {
  let issued = 0;
  const answers: Readonly<Record<string, Prepared>> = {
    'subject-token': token ?? (() => tokenAnswer((issued += 1))),
    identity: json({ contract_version: 1, credential: {} }),
  };
  const server = new FakeServer((received, init) => {
    const name = new URL(received.url).pathname.split('/').at(-1) ?? '';
    return answers[name]!(received, init);
  });
  const clock = new FakeClock();
  const options = { url: 'http://test', secret: 'ak1', fetch: server.fetch, clock };
  const service = connect({ ...options, random: () => 0 });
  const sent = () =>
    server.received.map(({ url, headers }) => {
      return `${new URL(url).pathname.split('/').at(-1)} ${headers.get('authorization')}`;
    });
  return { service, clock, sent };
}

function tokenAnswer(number: number) {
  const token = { access_token: `t${number}`, token_type: 'Bearer', expires_in: 600 };
  return Response.json({ contract_version: 1, ...token });
}

test('a token is got for each subject once, and renewed a minute before it ends', async () => {
  const { service, clock, sent } = setUp();
  const [one, two] = [service.for('user-1'), service.for('user-2')];
  expect(sent()).toEqual([]);
  await clock.settle(Promise.all([one.whoAmI(), one.whoAmI(), service.for('user-1').whoAmI()]));
  await clock.settle(two.whoAmI());
  const first = ['subject-token Bearer ak1', ...Array<string>(3).fill('identity Bearer t1')];
  expect(sent()).toEqual([...first, 'subject-token Bearer ak1', 'identity Bearer t2']);
  clock.advance(539_999);
  await clock.settle(service.for('user-1').whoAmI());
  expect(sent().slice(6)).toEqual(['identity Bearer t1']);
  clock.advance(1);
  await clock.settle(service.for('user-1').whoAmI());
  expect(sent().slice(7)).toEqual(['subject-token Bearer ak1', 'identity Bearer t3']);
});

test('a subject that the service may not act for is refused, and asked for again', async () => {
  const { service, clock, sent } = setUp(refusal('forbidden', 403));
  for (let time = 0; time < 2; time += 1) {
    await expect(clock.settle(service.for('ops').whoAmI())).rejects.toMatchObject({
      code: 'forbidden',
    });
  }
  expect(sent()).toEqual(['subject-token Bearer ak1', 'subject-token Bearer ak1']);
});
