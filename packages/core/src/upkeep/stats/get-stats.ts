/** The operation that shows what is stored. */
import * as v from 'valibot';
import { closed } from '../../contract/schema/document.js';
import { named } from '../../contract/schema/json-schema.js';
import { integer } from '../../contract/schema/number.js';
import { shownTime, timeText } from '../../contract/schema/time.js';
import { CONTRACT_DOCUMENT_VERSION, STORED_VERSION } from '../../contract/version.js';
import { type EntryTally, tally, type TallyParts } from '../../kernel/counts/counts.js';
import { defineAccountOperation } from '../../kernel/operation/define-operation.js';
import { accountChecks } from '../../kernel/operation/orders-of-checks.js';
import {
  replicationStatus,
  ShownReplication,
  shownReplication,
} from '../replication/shown-replication.js';
import { SharedTally } from './shared-tally.js';
import { Tally } from './tally.js';

/** Statistics of the service. */
const Stats = v.pipe(
  closed({
    generated_at: shownTime(),
    version: v.string(),
    storage: closed({
      /** Bytes that the store occupies on disk. */
      size_bytes: integer(),
      /** Bytes that the store can grow to before it maps more. */
      map_size_bytes: integer(),
      stored_version: integer(1),
    }),
    entries: closed({
      tenants: integer(),
      /** Of tenants and of the installation, including revoked and expired ones. */
      credentials: integer(),
      /** Includes disabled and deleted ones. */
      accounts: integer(),
      /** Sessions that have not ended. */
      sessions: integer(),
      /** Records that are not deleted. */
      memory_records: integer(),
      receipts: integer(),
      /** Events that are kept. */
      audit_events: integer(),
    }),
    process: closed({
      uptime_seconds: integer(),
      memory: closed({
        rss_bytes: integer(),
        heap_used_bytes: integer(),
        heap_total_bytes: integer(),
      }),
    }),
    /** Where commits are copied to; absent where nothing is copied. */
    replication: v.optional(ShownReplication),
  }),
  named('Stats'),
);
type Stats = v.InferOutput<typeof Stats>;

/** Takes constant time, except while entries are recounted after a crash. */
export const getStats = defineAccountOperation({
  name: 'getStats',
  summary: 'Show how much is stored, and how the process does.',
  example: {},
  command: { name: 'stats' },
  tag: 'Operations',
  effect: 'read',
  input: {},
  output: Stats,
  requires: { role: 'Admin', isInstallation: true },
  checks: accountChecks,
  handler: async ({ runtime, nowMs }) => {
    const entries = await tally.of(runtime).entries();
    const { sizeBytes, mapSizeBytes } = await runtime.backend.stats();
    const replication = replicationStatus.of(runtime)();
    const { rss, heapUsed, heapTotal } = process.memoryUsage();
    return {
      generated_at: timeText(nowMs),
      version: CONTRACT_DOCUMENT_VERSION,
      storage: {
        size_bytes: sizeBytes,
        map_size_bytes: mapSizeBytes,
        stored_version: STORED_VERSION,
      },
      entries,
      process: {
        uptime_seconds: Math.floor(process.uptime()),
        memory: {
          rss_bytes: rss,
          heap_used_bytes: heapUsed,
          heap_total_bytes: heapTotal,
        },
      },
      ...(replication === undefined ? {} : { replication: shownReplication(replication) }),
    };
  },
});

/** Opens the tally of a store. Call it before this process writes to the store. */
export function openTally(parts: TallyParts): Promise<EntryTally> {
  return parts.store.isShared ? SharedTally.open(parts) : Tally.open(parts);
}
