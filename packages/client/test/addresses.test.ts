/** Several servers: a call goes to the next one when one stops or cannot be reached. */
import { expect, test } from 'vitest';
import { connect } from '../src/index.js';
import { down, FakeClock, FakeServer, json, type Prepared, refusal } from './fake-server.js';

const identity = json({ contract_version: 1, credential: { id: 'c' } });
const issued = json({ contract_version: 1, credential: {}, secret: 'ak1_x' }, 201);
const stopping = refusal('server_stopping', 503, { 'Retry-After': '1' });
const spec = { subject_id: 's', capabilities: [], grants: [] };

/** An agent of several servers, and the hosts that its requests went to. */
function setUp(answers: readonly Prepared[], url: string | readonly string[]) {
  const server = new FakeServer(...answers);
  const clock = new FakeClock();
  const hosts: string[] = [];
  const fetch = (sent: string, init: RequestInit) => {
    hosts.push(new URL(sent).host);
    return server.fetch(sent, init);
  };
  return { clock, hosts, agent: connect({ url, secret: 's', fetch, clock, random: () => 0 }) };
}

test.each([
  ['a list', ['http://one', 'http://two/']],
  ['a text with commas', 'http://one, http://two/'],
])('CON-196 %s: a call goes on at the next server at once, and stays there', async (_form, url) => {
  const { clock, hosts, agent } = setUp([stopping, identity, identity], url);
  expect(await clock.settle(agent.whoAmI())).toEqual({ id: 'c' });
  await clock.settle(agent.whoAmI());
  expect(hosts).toEqual(['one', 'two', 'two']);
  expect(clock.waitedMs).toEqual([0]);
});

test('CON-196 a write without a key goes on too, because nothing was done', async () => {
  const { clock, hosts, agent } = setUp([stopping, issued], ['http://one', 'http://two']);
  await clock.settle(agent.credentials.issue(spec));
  expect(hosts).toEqual(['one', 'two']);
});

test('an unreachable server is left, but a write without a key is not repeated', async () => {
  const { clock, hosts, agent } = setUp([down, issued, down, identity], ['http://a', 'http://b']);
  await expect(clock.settle(agent.credentials.issue(spec))).rejects.toMatchObject({
    code: 'server_unreachable',
  });
  await clock.settle(agent.credentials.issue(spec));
  await clock.settle(agent.whoAmI());
  expect(hosts).toEqual(['a', 'b', 'b', 'a']);
});

test('after a round of all servers there is a wait', async () => {
  const url = ['http://a', 'http://b'];
  const { clock, hosts, agent } = setUp([down, stopping, down, down, identity], url);
  await clock.settle(agent.whoAmI());
  expect(hosts).toEqual(['a', 'b', 'a', 'b', 'a']);
  expect(clock.waitedMs).toEqual([0, 1_000, 0, 1_600]);
});

test('calls at the same time leave a server once', async () => {
  const url = ['http://a', 'http://b', 'http://c'];
  const { clock, hosts, agent } = setUp([stopping, stopping, identity, identity], url);
  await clock.settle(Promise.all([agent.whoAmI(), agent.whoAmI()]));
  expect(hosts).toEqual(['a', 'a', 'b', 'b']);
});

test('one server alone is asked again after the time that it says', async () => {
  const { clock, hosts, agent } = setUp([stopping, issued], 'http://one');
  await clock.settle(agent.credentials.issue(spec));
  expect(hosts).toEqual(['one', 'one']);
  expect(clock.waitedMs).toEqual([1_000]);
});

test('a list without an address, with too many or with another text is refused', () => {
  for (const url of [[], Array.from({ length: 17 }, () => 'http://a'), ['http://a', 'b'], 'a,,b']) {
    expect(() => connect({ url, secret: 's' })).toThrow(/`url` must be/u);
  }
});
