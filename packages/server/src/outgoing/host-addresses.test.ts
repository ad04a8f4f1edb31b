/** Where the addresses of hosts are looked for. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NameServer } from '@agentkeep/testkit/name-server';
import { eventually } from '@agentkeep/testkit/eventually';
import { expect, test } from 'vitest';
import { hostAddresses } from './host-addresses.js';
import { addressesInHosts } from './hosts-file.js';

const never = new AbortController().signal;
const hosts = `
# 10.0.0.9 Commented
10.0.0.1\tinside inside.example.test # office
fd00::1   INSIDE.example.test.
not-an-address  inside
`;

test('a file of hosts lists addresses by any of their names', () => {
  const both = [
    { address: '10.0.0.1', family: 4 },
    { address: 'fd00::1', family: 6 },
  ];
  expect(addressesInHosts(hosts, 'Inside.example.test.')).toEqual(both);
  expect(addressesInHosts(hosts, 'inside')).toEqual(both.slice(0, 1));
  for (const name of ['commented', 'office', 'example.test', '']) {
    expect(addressesInHosts(hosts, name)).toEqual([]);
  }
});

test('localhost is loopback where the file does not say otherwise', () => {
  const loopback = [{ address: '127.0.0.1', family: 4 }];
  expect(addressesInHosts('', 'localhost')).toEqual(loopback);
  expect(addressesInHosts('', 'a.localhost')).toEqual(loopback);
  expect(addressesInHosts('::1 localhost', 'localhost')).toEqual([{ address: '::1', family: 6 }]);
  expect(addressesInHosts('', 'notlocalhost')).toEqual([]);
});

test('HOK-34 the file of hosts comes before the name servers, and either may be missing', async () => {
  await using names = new NameServer(['known.example.test']);
  const servers = [await names.listen()];
  const directory = await mkdtemp(join(tmpdir(), 'agentkeep-hosts-'));
  const hostsFile = join(directory, 'hosts');
  await writeFile(hostsFile, hosts);
  const resolve = hostAddresses({ servers, hostsFile });
  const found = [{ address: '127.0.0.1', family: 4 }];
  expect(await resolve('inside', never)).toEqual([{ address: '10.0.0.1', family: 4 }]);
  expect(names.asked).toEqual([]);
  expect(await resolve('known.example.test', never)).toEqual(found);
  await rm(directory, { recursive: true });
  expect(await resolve('known.example.test', never)).toEqual(found);
});

test('a name that no server answers ends at the signal, and holds up no other', async () => {
  await using names = new NameServer(['known.example.test']);
  const resolve = hostAddresses({ servers: [await names.listen()] });
  const endings = Array.from({ length: 64 }, () => new AbortController());
  const silent = endings.map(({ signal }, at) => resolve(`silent-${at}.test`, signal));
  const ends = Promise.allSettled(silent);
  await eventually(() => {
    expect(new Set(names.asked).size).toBe(64);
  });
  expect(await resolve('known.example.test', never)).toHaveLength(1);
  for (const ending of endings) ending.abort();
  expect((await ends).every(({ status }) => status === 'rejected')).toBe(true);
  await expect(resolve('known.example.test', AbortSignal.abort())).rejects.toThrow();
});
