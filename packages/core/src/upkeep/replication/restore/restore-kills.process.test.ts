/**
 * What a restore gives after each kill of a keep that writes without a pause. The variable
 * AGENTKEEP_KILLS sets the number of kills; each mode has one half of them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKeep } from '../../../keep/open-keep.js';
import { agentFor, restoreReplica } from '../../../operator.js';

const KILLS = Number(process.env['AGENTKEEP_KILLS'] ?? 4);

/** Lag of `async` in milliseconds. Half of it is for sending, also on a busy machine. */
const LAG_MS = 3_000;

const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;

/**
 * Remembers in eight loops, and prints for each memory that was answered its text, the time, and
 * the lag that the store states, read after the time.
 */
const WRITER = `
const [, base, dataDir, target, mode, round] = process.argv;
const { openKeep } = await import(base + '/index.js');
const { agentFor } = await import(base + '/operator.js');
const replicateTo = { target, mode, lagMs: ${LAG_MS}, acknowledgeMs: 60_000 };
const keep = await openKeep({ dataDir, replicateTo });
while (keep.replication().copyMs === undefined) await new Promise((done) => setTimeout(done, 20));
const scope = ${JSON.stringify(scope)};
const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes: [scope] });
let next = 0;
const write = async () => {
  for (;;) {
    const text = round + '-' + next++;
    await agent.memory.in(scope).remember(text, { tags: ['round-' + round] });
    const atMs = Date.now();
    console.log(text + ' ' + atMs + ' ' + keep.replication().lagMs);
  }
};
for (let writer = 0; writer < 8; writer += 1) void write();
`;

const modules = new URL('../../../../dist', import.meta.url).href;

/** A memory that was answered. */
interface Answered {
  readonly text: string;
  readonly atMs: number;
  /** The lag at that time, by the store. A busy machine makes it longer than the option. */
  readonly lagMs: number;
}

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-restore-kills-'));
});

afterEach(() => rm(home, { recursive: true, force: true }));

/** Lets a process write, and kills it some time after its first answer, or after many. */
async function killed(mode: string, round: number): Promise<Answered[]> {
  const flags = ['--input-type=module', '--eval', WRITER];
  const places = [modules, join(home, 'data'), join(home, 'target'), mode, String(round)];
  const child = spawn(process.execPath, [...flags, ...places], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const answered: Answered[] = [];
  const runsMs = 100 + ((round * 397) % 4_500);
  for await (const line of createInterface({ input: child.stdout })) {
    const [text = '', atMs, lagMs] = line.split(' ');
    answered.push({ text, atMs: Number(atMs), lagMs: Number(lagMs) });
    const [first] = answered;
    if (first === undefined || Number(atMs) - first.atMs >= runsMs) break;
  }
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  return answered;
}

/** Restores the newest state, and returns the texts of a round and the number of all records. */
async function restored(round: number): Promise<{ texts: Set<string>; records: number }> {
  const dataDir = join(home, `restored-${String(round)}`);
  const { records } = await restoreReplica({ from: join(home, 'target'), dataDir });
  const texts = new Set<string>();
  {
    await using keep = await openKeep({ dataDir });
    const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes: [scope] });
    const found = agent.memory.in(scope).search({ tags: { all: [`round-${String(round)}`] } });
    for await (const { record } of found) texts.add(record.payload.content.primary);
  }
  await rm(dataDir, { recursive: true });
  return { texts, records: records['memoryRecords'] ?? Number.NaN };
}

// docs/contract/replication.md#rep-11, docs/contract/replication.md#rep-50
test(
  'a restore after each kill has every acknowledged memory, and all but the lag of the others',
  { timeout: 300_000 + KILLS * 60_000 },
  async () => {
    let before = 0;
    let all = 0;
    let lost = 0;
    for (let round = 0; round < KILLS; round += 1) {
      const mode = round % 2 === 0 ? 'acknowledged' : 'async';
      const answered = await killed(mode, round);
      const { texts, records } = await restored(round);
      expect(answered.length).toBeGreaterThan(0);
      const missing = answered.filter(({ text }) => !texts.has(text));
      const { atMs: lastMs, lagMs } = answered.at(-1)!;
      const dueMs = mode === 'acknowledged' ? Infinity : lastMs - lagMs;
      expect(missing.filter(({ atMs }) => atMs < dueMs)).toEqual([]);
      // What was restored before stays, and the target may have got more of it since.
      expect(records).toBeGreaterThanOrEqual(before + texts.size);
      before = records;
      all += answered.length;
      lost += missing.length;
    }
    console.log(
      `${String(KILLS)} restores, ${String(all)} answered, ${String(lost)} of async lost`,
    );
  },
);
