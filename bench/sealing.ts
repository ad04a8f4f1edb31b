/** Compares an encrypted keep with a plain one, both as they are served: reads and commands. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from './fixture.js';
import { commandRequest, compared, type HttpLoad, readRequest, Subject } from './http.js';
import { type Comparison, ROUNDS, WARM_UP_ROUNDS } from './measure.js';

/** Encryption may take this part of the speed. */
const TARGET = 0.65;
const CONNECTIONS = 64;
const REQUESTS = 10_000;
/** Records that are read in turn: each once at first, then about three times. */
const RECORDS = 30_000;

/** Sizes of the work; smaller in tests. */
export interface SealingLoad extends HttpLoad {
  readonly records: number;
}

/** Two comparisons each for commands, and for reads of one record, of new ones, and of many. */
export async function* sealingBenchmarks({
  connections = CONNECTIONS,
  requests = REQUESTS,
  records = RECORDS,
}: Partial<SealingLoad> = {}): AsyncGenerator<Comparison, void> {
  await using directory = await temporaryDirectory();
  await using log = await open(join(directory.path, 'log'), 'w');
  await using ours = await Subject.start('encrypted', log.fd, connections, records);
  await using bare = await Subject.start('served', log.fd, connections, records);
  const contest = { ours, bare, requests, target: TARGET, against: 'not encrypted' };
  yield* compared('encrypted command', { ...contest, request: commandRequest });
  yield* compared('encrypted read', {
    ...contest,
    request: (listening) => readRequest({ ...listening, recordIds: [] }),
  });
  yield* compared('encrypted first read', {
    ...contest,
    requests: Math.ceil(records / (WARM_UP_ROUNDS + ROUNDS)),
    request: readRequest,
  });
  yield* compared('encrypted read of many', { ...contest, request: readRequest });
}
