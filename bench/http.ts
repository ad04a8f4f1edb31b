/** Compares HTTP requests with bare `node:http` with the same headers: a read and a command. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { recordAt, scope } from './fixture.js';
import type { Served } from './http-server.js';
import { Load, type LoadRequest } from './load.js';
import { compare, type Comparison } from './measure.js';

const CONNECTIONS = 64;
const REQUESTS = 20_000;

/** One comparison for the read and one for the command. */
export async function* httpBenchmarks(): AsyncGenerator<Comparison, void> {
  const child = fork(fileURLToPath(new URL('./http-server.ts', import.meta.url)));
  const [served] = (await once(child, 'message')) as [Served];
  const ours = await new Load().open(served.port, CONNECTIONS);
  const bare = await new Load().open(served.barePort, CONNECTIONS);
  try {
    yield await compare(
      'HTTP read by id',
      0.6,
      contender(ours, readRequest(served)),
      contender(bare, readRequest(served)),
    );
    yield await compare(
      'HTTP command',
      0.35,
      contender(ours, commandRequest(served)),
      contender(bare, commandRequest(served)),
    );
  } finally {
    ours.close();
    bare.close();
    child.send('stop');
    await once(child, 'exit');
  }
}

function contender(load: Load, request: LoadRequest) {
  return { operations: REQUESTS, round: () => load.run(REQUESTS, request) };
}

function readRequest({ secret, recordId }: Served): LoadRequest {
  const query = new URLSearchParams({ contract_version: '1', ...scope }).toString();
  return {
    method: 'GET',
    path: `/api/v1/memory/records/${recordId}?${query}`,
    headers: { Authorization: `Bearer ${secret}` },
  };
}

function commandRequest({ secret }: Served): LoadRequest {
  return {
    method: 'POST',
    path: '/api/v1/memory/commands',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: (number) =>
      JSON.stringify({
        contract_version: 1,
        idempotency_key: `http-${String(number).padStart(8, '0')}`,
        scope,
        operation: { type: 'create', record: recordAt(number) },
      }),
  };
}
