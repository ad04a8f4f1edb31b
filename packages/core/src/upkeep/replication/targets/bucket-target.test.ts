/** A bucket as a target: the cases of all targets, and what only a bucket can do wrong. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { answer, BucketServer } from '@agentkeep/testkit/bucket-server';
import { eventually } from '@agentkeep/testkit/eventually';
import { replicaTargetCases } from '../../../../test/replica-kit.js';
import { bucketAddress } from './bucket-address.js';
import { openBucketTarget } from './bucket-target.js';
import { openReplicaTarget } from './open-replica-target.js';

let server: BucketServer;
let home: string;

beforeAll(async () => {
  server = await BucketServer.start();
  home = await mkdtemp(join(tmpdir(), 'agentkeep-bucket-test-'));
});

afterEach(() => {
  server.gate = () => 'pass';
  server.heedsConditions = true;
});

afterAll(async () => {
  await server.close();
  await rm(home, { recursive: true });
});

replicaTargetCases({
  name: 's3rver with conditions',
  open: () => openReplicaTarget(server.address('cases')),
});

const place = (prefix = 'case') => {
  const found = bucketAddress(server.address(prefix));
  if (found === undefined) throw new Error('It is no address.');
  return found;
};

describe('REP-54 the address of a bucket', () => {
  test('has a bucket, a prefix, a region and an endpoint', () => {
    const plain = { region: undefined, endpoint: undefined };
    expect(bucketAddress('s3://backup')).toEqual({ bucket: 'backup', prefix: '', ...plain });
    expect(bucketAddress('s3://backup/a/b_c/')).toEqual({
      ...{ bucket: 'backup', prefix: 'a/b_c/' },
      ...plain,
    });
    const full = 's3://backup/a?endpoint=https://storage.example:9000&region=eu-central-1';
    expect(bucketAddress(full)).toEqual({
      bucket: 'backup',
      prefix: 'a/',
      region: 'eu-central-1',
      endpoint: 'https://storage.example:9000',
    });
  });

  test.each([
    's3://',
    's3://b',
    's3://Backup',
    's3://key:secret@backup/a',
    's3://backup:9000/a',
    's3://backup/a b',
    's3://backup//a',
    's3://backup/a#b',
    's3://backup/a?secret=x',
    's3://backup?endpoint=storage.example',
    's3://backup?endpoint=https://key:secret@storage.example',
    's3://backup?endpoint=https://storage.example/path',
    's3://backup?region=a/b',
  ])('is not %j', async (address) => {
    expect(bucketAddress(address)).toBeUndefined();
    await expect(openReplicaTarget(address)).rejects.toMatchObject({
      code: 'replica_unsuitable',
      message: expect.stringContaining('s3://bucket/prefix'),
    });
  });
});

describe('REP-55 a bucket is refused at its opening', () => {
  test('if it ignores conditional writes', async () => {
    server.heedsConditions = false;
    await expect(openReplicaTarget(server.address('plain'))).rejects.toMatchObject({
      code: 'replica_unsuitable',
      message:
        's3://keep/plain/ ignores conditional writes (If-None-Match), so two servers could write ' +
        'to it at once. Name a bucket of a service that has them, or a folder.',
    });
    expect([...server.keys].filter((key) => key.includes('/plain/'))).toEqual([]);
  });

  test('if it does not have conditional writes', async () => {
    server.gate = (request, response) => {
      if (request.headers['if-none-match'] === undefined) return 'pass';
      void answer(request, response, 501, 'NotImplemented');
      return 'answered';
    };
    await expect(openReplicaTarget(server.address('case'))).rejects.toMatchObject({
      code: 'replica_unsuitable',
      message: expect.stringContaining('(If-None-Match)'),
    });
  });

  test.each([
    ['the bucket is absent', 404, 'NoSuchBucket'],
    ['the credentials are refused', 403, 'AccessDenied'],
  ])('if %s', async (_why, status, code) => {
    server.gate = (request, response) => {
      void answer(request, response, status, code);
      return 'answered';
    };
    await expect(openReplicaTarget(server.address('case'))).rejects.toMatchObject({
      code: 'replica_unsuitable',
      message: expect.stringContaining(`s3://keep/case/ can't be used (${code})`),
    });
  });

  test('if the client is not installed', async () => {
    const load = () => Promise.reject(new Error('Cannot find package'));
    await expect(openBucketTarget(place(), { load })).rejects.toMatchObject({
      code: 'replica_unsuitable',
      message: expect.stringContaining('npm install @aws-sdk/client-s3'),
    });
  });
});

describe('REP-43 a bucket does not answer', () => {
  test.each([
    ['it is full', 507, 'InsufficientStorage'],
    ['it is overloaded', 503, 'SlowDown'],
  ])('where %s, and is used once it is better', async (_why, status, code) => {
    const target = await openReplicaTarget(server.address('case'));
    const name = `full/${String(status)}`;
    server.gate = (request, response) => {
      void answer(request, response, status, code);
      return 'answered';
    };
    await expect(target.create(name, Buffer.from('x'))).rejects.toMatchObject({
      code: 'replica_unavailable',
      retryable: true,
    });
    server.gate = () => 'pass';
    expect(await target.create(name, Buffer.from('x'))).toBe(true);
    await target.close();
  });

  /** Opens it to wait 50 ms only. A busy machine may take longer for the opening. */
  const impatient = () => eventually(() => openBucketTarget(place(), { silenceMs: 50 }));

  test('REP-56 where it is silent', async () => {
    const target = await impatient();
    server.gate = () => 'answered';
    const silent = { code: 'replica_unavailable' };
    await expect(target.read('silent/a')).rejects.toMatchObject(silent);
    await target.close();
  });

  test('where it becomes silent within an object, of which no file stays', async () => {
    const target = await impatient();
    server.gate = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000000' });
      response.write(Buffer.alloc(1_000));
      return 'answered';
    };
    const path = join(home, 'part');
    await expect(target.readTo('silent/a', path)).rejects.toMatchObject({
      code: 'replica_unavailable',
    });
    await writeFile(path, 'free', { flag: 'wx' });
    await target.close();
  });
});

test('REP-41 an object whose answer was lost is there once', async () => {
  const target = await openReplicaTarget(server.address('case'));
  let lost = 0;
  server.gate = (request) => (request.method === 'PUT' && lost++ === 0 ? 'lost' : 'pass');
  expect(await target.create('lost/a', Buffer.from('x'))).toBe(false);
  expect(Buffer.from((await target.read('lost/a')) ?? []).toString()).toBe('x');
  await target.close();
});

test('REP-56 a file of several parts goes there once, and comes back the same', async () => {
  const target = await openReplicaTarget(server.address('case'));
  const [source, copy] = [join(home, 'source'), join(home, 'copy')];
  const content = Buffer.alloc(35 * 1_048_576 + 7, 'parts');
  await writeFile(source, content);
  expect(await target.createFrom('parts/a', source)).toBe(true);
  expect(await target.createFrom('parts/a', source)).toBe(false);
  expect(await target.readTo('parts/a', copy)).toBe(true);
  expect((await readFile(copy)).equals(content)).toBe(true);
  await target.close();
});

test('REP-56 parts that a killed process left are removed by an opening a day later', async () => {
  const uploadOf = (id: string, ageMs: number): string =>
    `<Upload><Key>case/base/a</Key><UploadId>${id}</UploadId>` +
    `<Initiated>${new Date(Date.now() - ageMs).toISOString()}</Initiated></Upload>`;
  const uploads = uploadOf('old', 25 * 3_600_000) + uploadOf('new', 23 * 3_600_000);
  const removed: (string | null)[] = [];
  server.gate = ({ method, url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://bucket');
    const isListed = method === 'GET' && searchParams.has('uploads');
    if (!isListed && !searchParams.has('uploadId')) return 'pass';
    if (!isListed) removed.push(searchParams.get('uploadId'));
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(`<ListMultipartUploadsResult>${uploads}</ListMultipartUploadsResult>`);
    return 'answered';
  };
  const target = await openReplicaTarget(server.address('case'));
  expect(removed).toEqual(['old']);
  await target.close();
});
