/** `getStats`: returns the size of the service and the state of the process. */
import { tally } from '../../kernel/counts/counts.js';
import { defineAccountOperation } from '../../kernel/operation/define-operation.js';
import { accountChecks } from '../../kernel/operation/orders-of-checks.js';
import { timeText } from '../../contract/schema/time.js';
import { CONTRACT_DOCUMENT_VERSION, STORED_VERSION } from '../../contract/version.js';
import { Stats } from './schema.js';

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
    };
  },
});
