/** Every command is whole: its flags, help, examples, and the documents that it can send. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OperationName, operations } from '@agentkeep/core';
import { routes } from '@agentkeep/client/routes';
import { afterAll, describe, expect, test } from 'vitest';
import { clientCommands } from '../../src/cli/client/client-commands.js';
import { operationInput } from '../../src/cli/client/operations/operation-input.js';
import { readInputParts } from '../../src/cli/client/operations/input-parts.js';
import { candidatesFor } from '../../src/cli/completion/candidates.js';
import { GivenFlags } from '../../src/cli/command/given-flags.js';
import { flagsOf } from '../../src/cli/parsing/command-flags.js';
import { commandOf, readCommandLine } from '../../src/cli/parsing/command-line.js';
import { serviceCommands } from '../../src/cli/service-commands.js';
import { contractDocument } from '../../src/openapi/document.js';
import { runCommand } from './run-command.js';

const commands = [...serviceCommands, ...clientCommands()];
const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Splits a command line of an example as a shell does. */
function wordsOf(line: string): string[] {
  return (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, '$1'));
}

describe('commands', () => {
  test('have names of their own, and each operation has one', () => {
    const names = commands.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const operation of Object.keys(operations)) expect(names).toContain(`call ${operation}`);
  });

  test('have flags of their own', () => {
    for (const command of commands) {
      const names = flagsOf(command).map(({ name }) => name);
      expect(
        names.filter((name, at) => names.indexOf(name) !== at),
        command.name,
      ).toEqual([]);
    }
  });

  test('have examples that their parsers take', () => {
    for (const command of commands) {
      for (const example of command.examples) {
        const lines = example.split(' | ').map((line) => line.split(/ [<>] | {3}#/)[0] ?? '');
        const calls = lines
          .map(wordsOf)
          .filter((words) => words.includes('agentkeep'))
          .map((words) => words.slice(words.indexOf('agentkeep') + 1))
          .filter((words) => commandOf(commands, words) === command);
        expect(calls.length, example).toBeGreaterThan(0);
        for (const words of calls) {
          readCommandLine(command, words.slice(command.name.split(' ').length));
        }
      }
    }
  });

  test('explain themselves in lines that a terminal shows', async () => {
    for (const { name } of commands) {
      const { status, out } = await runCommand([...name.split(' '), '--help']);
      expect(status).toBe(0);
      expect(out).toContain(`Usage: agentkeep ${name}`);
    }
  });
});

const described = Object.values(contractDocument.paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap((operation) => {
    const example = operation.requestBody?.content['application/json']?.example;
    return example === undefined ? [] : [{ operation, example: example as object }];
  });

const folder = mkdtempSync(join(tmpdir(), 'agentkeep-flags-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

function fileWith(text: string): string {
  files += 1;
  const path = join(folder, String(files));
  writeFileSync(path, `${text}\n`);
  return path;
}

/** Returns the flags that say what a document says. */
function flagsFor(example: object, name: string): GivenFlags {
  const object = Object.values(contractDocument.paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === name);
  const { flags } = operationInput(object!, contractDocument.components);
  const given = flags.flatMap((flag): [string, string[]][] => {
    const value = flag.path.reduce<unknown>(
      (inner, member) => (Object(inner) as Record<string, unknown>)[member],
      example,
    );
    if (value === undefined || flag.part === 'parameters') return [];
    if (flag.form === 'file') return [[flag.name, [fileWith(value as string)]]];
    if (flag.form === 'list') return [[flag.name, value as string[]]];
    return [
      [
        flag.name,
        [typeof value === 'string' && flag.form === 'text' ? value : JSON.stringify(value)],
      ],
    ];
  });
  return new GivenFlags(new Map(given));
}

test.each(described)('CMD-C5 flags of $operation.operationId make its example', async (each) => {
  const { operation, example } = each;
  const input = operationInput(operation, contractDocument.components);
  const io = {
    environment: {},
    writeOut: async () => undefined,
    writeError: () => undefined,
    readInput: async function* () {},
  };
  const parts = await readInputParts(input, {
    io,
    given: flagsFor(example, operation.operationId),
    id: undefined,
  });
  const path = routes[operation.operationId as OperationName].path;
  expect(parts.document, path).toEqual(example);
});

describe('completion', () => {
  const io = { environment: {} };
  const after = (...words: readonly string[]) => candidatesFor({ commands, io }, words);

  test('CMD-19 offers commands, then commands of a group, then flags, then their values', () => {
    expect(after('cred')).toEqual(['credentials']);
    expect(after('credentials', 'r')).toEqual(['rotate', 'revoke', 'replace-key']);
    expect(after('credentials', 'rotate', 'x', '--write')).toEqual(['--write-secret']);
    expect(after('memory', 'list', '--visibility', '')).toEqual(['private', 'shared']);
    expect(after('snapshot', '--data-dir', '')).toEqual([]);
  });

  test('offers a flag again only where it may be repeated', () => {
    expect(after('memory', 'list', '--tag', 'a', '--t')).toContain('--tag');
    expect(after('memory', 'list', '--type', 'a', '--ty')).toEqual([]);
  });

  test.runIf(process.platform !== 'win32')('works in bash', () => {
    const folder = mkdtempSync(join(tmpdir(), 'agentkeep-completion-'));
    try {
      const program = `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`;
      writeFileSync(join(folder, 'agentkeep'), program, { mode: 0o755 });
      const script = [
        'eval "$(agentkeep completion bash)"',
        'COMP_WORDS=(agentkeep lockouts un); COMP_CWORD=2; _agentkeep',
        'echo "${COMPREPLY[@]}"',
      ].join('\n');
      const env = { PATH: `${folder}:${process.env['PATH'] ?? dirname(process.execPath)}` };
      expect(execFileSync('bash', ['-c', script], { env, encoding: 'utf8' })).toBe('unlock\n');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
