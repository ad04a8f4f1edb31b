/** Schema of the document of statistics (docs/contract/snapshots.md#snp-8). */
import * as v from 'valibot';
import { closed } from '../../contract/schema/document.js';
import { named } from '../../contract/schema/json-schema.js';
import { integer } from '../../contract/schema/number.js';
import { shownTime } from '../../contract/schema/time.js';

/** Statistics of the service. */
export const Stats = v.pipe(
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
  }),
  named('Stats'),
);
export type Stats = v.InferOutput<typeof Stats>;
