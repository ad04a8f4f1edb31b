/** Servers on one PostgreSQL that a relay moves away from them. */
import { postgresStore } from '@agentkeep/postgres';
import { DelayingRelay } from '@agentkeep/testkit/delaying-relay';
import { findPostgres } from '@agentkeep/testkit/find-postgres';
import { PostgresServer } from '@agentkeep/testkit/postgres-server';
import { everywhere, keepWithAgent } from './fixture.js';
import { PostgresWorkers } from './postgres-workers.js';

/** Some servers, and the relay before their database. */
export interface DistantServers {
  readonly servers: number;
  readonly workers: PostgresWorkers;
  readonly relay: DelayingRelay;
}

/** Yields each number of servers over a database of its own; none without PostgreSQL. */
export async function* distantServers(
  counts: readonly number[],
): AsyncGenerator<DistantServers, void> {
  const bin = findPostgres();
  if (bin === undefined) {
    console.log('Nothing was measured: the programs of PostgreSQL are not installed.');
    return;
  }
  for (const servers of counts) {
    const database = await PostgresServer.start(bin, { fsync: 'on' });
    try {
      await using relay = await DelayingRelay.before(database.url);
      const first = await keepWithAgent({ store: postgresStore(database) }, everywhere);
      await first.keep.close();
      const url = relay.urlOf(database.url);
      await using workers = await PostgresWorkers.start(url, first.secret, servers);
      yield { servers, workers, relay };
      relay.roundTripMs = 0;
    } finally {
      await database.stop();
    }
  }
}
