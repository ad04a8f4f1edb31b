/** Random commands, with the local memory tool of the Anthropic SDK over a folder as the oracle. */
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node';
import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory';
import fc from 'fast-check';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import type { MemoryCommand } from '../src/commands.js';
import { AgentkeepMemory } from '../src/index.js';
import { opened, scope, type Way } from './two-ways.js';

const segment = fc.constantFrom('a', 'b', 'c.md', '.hidden', 'node_modules', 'ü %.md', '%41');
const plainPath = fc
  .array(segment, { minLength: 0, maxLength: 4 })
  .map((segments) => ['/memories', ...segments].join('/'));
const oddPath = fc.oneof(
  plainPath.map((path) => `${path}/`),
  plainPath.map((path) => path.replace('/a', '//a/.')),
  plainPath.map((path) => `${path}/b/..`),
  plainPath.map((path) => path.replace('/memories', '/memories/../memories')),
  plainPath.map((path) => path.replace('/memories', '/memories/../..')),
  plainPath.map((path) => path.replace('/memories', '/elsewhere')),
  plainPath.map((path) => path.replace('/memories', '/memoriesx')),
  plainPath.map((path) => path.replace('/memories', '/memories/..')),
);
const path = fc.oneof(
  { weight: 12, arbitrary: plainPath },
  { weight: 3, arbitrary: fc.constantFrom('/memories/a', '/memories/a/b', '/memories/a/c.md') },
  { weight: 2, arbitrary: oddPath },
);
const line = fc.constantFrom('', 'tea', 'tea and tea', 'coffee $& $1', 'ü', '\ud800');
const text = fc.oneof(
  { weight: 8, arbitrary: fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n')) },
  { weight: 1, arbitrary: fc.nat({ max: 5_000 }).map((length) => 'x'.repeat(length)) },
);

const command: fc.Arbitrary<MemoryCommand> = fc.oneof(
  fc.record({
    command: fc.constant('view' as const),
    path,
    view_range: fc.option(
      fc.tuple(fc.integer({ min: -1, max: 5 }), fc.integer({ min: -1, max: 6 })),
      {
        nil: undefined,
      },
    ),
  }),
  fc.record({ command: fc.constant('create' as const), path, file_text: text }),
  fc.record({ command: fc.constant('create' as const), path: plainPath, file_text: text }),
  fc.record({
    command: fc.constant('str_replace' as const),
    path,
    old_str: fc.constantFrom('tea', 'x', '', 'ü', 'tea\n'),
    new_str: line,
  }),
  fc.record({
    command: fc.constant('insert' as const),
    path,
    insert_line: fc.integer({ min: -1, max: 7 }),
    insert_text: fc.oneof(line, fc.constant('last\n'), fc.constant('two\n\n')),
  }),
  fc.record({ command: fc.constant('delete' as const), path }),
  fc.record({ command: fc.constant('rename' as const), old_path: path, new_path: path }),
);

/** A message of the file system itself; it has names of this machine, so it isn't compared. */
const OF_THE_SYSTEM = /^E[A-Z]+: /u;

/** Sizes of directories depend on the file system. */
const SIZE_OF_DIRECTORY = /^\S+(?=\t.*\/$)/u;

function shown(answer: string): string {
  if (!answer.startsWith("Here're the files")) return answer;
  const [header = '', top = '', ...others] = answer.split('\n');
  const lines = [top.replace(/^\S+/u, '4K'), ...others];
  return [header, ...lines.map((each) => each.replace(SIZE_OF_DIRECTORY, '4K'))].join('\n');
}

/** Returns what Claude would see. */
async function outcomeOf(work: () => unknown): Promise<string> {
  try {
    return shown(String(await work()));
  } catch (error) {
    const { message } = error as Error;
    const isSystem =
      OF_THE_SYSTEM.test(message) || /leads through a file|into itself/u.test(message);
    return `Error: ${isSystem ? 'of the file system' : message}`;
  }
}

async function foldersOf(home: string): Promise<string[]> {
  const found = await readdir(home, { recursive: true, withFileTypes: true });
  return found.flatMap((each) => (each.isDirectory() ? [join(each.parentPath, each.name)] : []));
}

/** A failed rename of the local tool leaves empty folders behind; ours leaves nothing. */
async function playLocally(
  local: BetaLocalFilesystemMemoryTool,
  home: string,
  each: MemoryCommand,
): Promise<string> {
  const before = each.command === 'rename' ? await foldersOf(home) : [];
  const handlers = local as unknown as Record<string, (command: MemoryCommand) => Promise<string>>;
  const outcome = await outcomeOf(() => handlers[each.command]!(each));
  if (each.command !== 'rename' || !outcome.startsWith('Error: ')) return outcome;
  const made = (await foldersOf(home)).filter((folder) => !before.includes(folder));
  for (const folder of made) await rm(folder, { recursive: true, force: true });
  return outcome;
}

/** Every file with its text. */
async function filesOf(home: string): Promise<Record<string, string>> {
  const found = await readdir(home, { recursive: true, withFileTypes: true });
  const files = found.filter((each) => each.isFile());
  const texts = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [file.slice(home.length + 1), await readFile(file, 'utf8')] as const;
    }),
  );
  return Object.fromEntries(texts);
}

describe.each<readonly [Way, number]>([
  ['embedded', 25],
  ['HTTP', 8],
])('the answers are those of the local memory tool, %s', (way, numRuns) => {
  test('byte for byte, in random histories', async () => {
    const history = fc.array(command, { minLength: 1, maxLength: 30, size: 'max' });
    const property = fc.asyncProperty(history, async (commands) => {
      await using desk = await opened(way);
      const { agent } = desk;
      const base = await mkdtemp(join(tmpdir(), 'agentkeep-anthropic-'));
      const home = join(base, 'memories');
      try {
        const local = await BetaLocalFilesystemMemoryTool.init(base);
        const memory = new AgentkeepMemory({ agent, scope, root: 'files' });
        for (const each of commands) {
          const expected = await playLocally(local, home, each);
          expect(await outcomeOf(() => memory.execute(each)), JSON.stringify(each)).toBe(expected);
        }
        const views: Record<string, string> = {};
        for (const [file] of Object.entries(await filesOf(home))) {
          const record = await agent.memory
            .in(scope)
            .read({ name: `files/${file.replaceAll('%', '%25')}` });
          views[file] = record?.payload.content.primary ?? 'none';
        }
        expect(views).toEqual(await filesOf(home));
      } finally {
        await rm(base, { recursive: true, force: true });
      }
    });
    await fc.assert(property, { seed: inject('seed'), numRuns });
  });
});

test('the handlers have the type that the SDK wants', () => {
  const handlers = (memory: AgentkeepMemory): MemoryToolHandlers => memory;
  expect(handlers).toBeTypeOf('function');
});
