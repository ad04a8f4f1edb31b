/** Records of memory, as tables for people or as JSON for programs. */
import type { MemoryRecord } from '@agentkeep/client';
import type { ClientInvocation } from '../../command/command.js';
import { cellOf, jsonLine, timeCell } from '../../output/printable.js';
import { tableOf } from '../../output/table.js';

const HEADER = ['RECORD', 'NAME', 'TYPE', 'EVENT TIME', 'TAGS', 'TEXT'];
const OPTIONAL = ['NAME', 'TYPE', 'EVENT TIME', 'TAGS'];

/** Prints records: each as a line of JSON, or all of them as a table. */
export async function printRecords(
  { io, json }: Pick<ClientInvocation, 'io' | 'json'>,
  records: AsyncIterable<MemoryRecord>,
  limit: number,
): Promise<void> {
  const rows: string[][] = [];
  let shown = 0;
  for await (const record of records) {
    if (shown === limit) {
      io.writeError(`There are more: --limit shows more than ${limit}.\n`);
      break;
    }
    shown += 1;
    if (json) await io.writeOut(jsonLine(record));
    else rows.push(rowOf(record));
  }
  if (json) return;
  await io.writeOut(
    rows.length === 0 ? 'None.\n' : tableOf(HEADER, rows, { ...io, optional: OPTIONAL }),
  );
}

function rowOf({ record_id, name, payload }: MemoryRecord): string[] {
  const { episode_type, event_time_millis, tags, content } = payload;
  return [
    record_id,
    cellOf(name),
    cellOf(episode_type),
    timeCell(event_time_millis),
    cellOf(tags),
    cellOf(content.primary),
  ];
}
