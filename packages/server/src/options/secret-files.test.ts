/** Secrets of options from files, in every source. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { InvalidOptionsError } from './invalid-options-error.js';
import { type OptionName, secretNames } from './option-table.js';
import { explainOptions, type OptionSources, readOptions } from './read-options.js';

const directory = mkdtempSync(join(tmpdir(), 'agentkeep-secrets-'));
afterAll(() => rmSync(directory, { recursive: true }));

let files = 0;
function file(text: string): string {
  files += 1;
  const path = join(directory, String(files));
  writeFileSync(path, text);
  return path;
}

/** A secret of each option that may be one. */
const secrets: Partial<Record<OptionName, string>> = {
  store_url: 'postgres://keep:hunter2@db/keep',
  metrics_token: 'a-secret-of-metrics',
};

function problems(sources: OptionSources): readonly string[] {
  try {
    readOptions(sources);
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error.problems;
    throw error;
  }
  return [];
}

/** The three ways to name a file. */
const ways: readonly [string, (name: OptionName, path: string) => OptionSources][] = [
  ['a flag', (name, path) => ({ secretFiles: { [name]: path } })],
  [
    'a variable',
    (name, path) => ({ environment: { [`AGENTKEEP_${name.toUpperCase()}_FILE`]: path } }),
  ],
  [
    'a configuration file',
    (name, path) => ({ configFile: file(JSON.stringify({ [`${name}_file`]: path })) }),
  ],
];

test('every option that may be a secret has one here', () => {
  expect(Object.keys(secrets).sort()).toEqual([...secretNames].sort());
});

describe.each(ways)('a file that %s names', (_way, sourcesOf) => {
  test.each(secretNames)('holds %s, without its last line ending', (name) => {
    for (const ending of ['', '\n', '\r\n']) {
      const path = file(`${secrets[name] ?? ''}${ending}`);
      const effective = explainOptions(sourcesOf(name, path)).find((each) => each.name === name);
      expect(effective?.value).toBe(secrets[name]);
    }
  });

  test.each(secretNames)('must be readable and hold a valid %s', (name) => {
    const [absent = ''] = problems(sourcesOf(name, join(directory, 'absent')));
    expect(absent).toContain('cannot be read');
    const [wrong = '', ...more] = problems(sourcesOf(name, file('hunter 2')));
    expect(more).toEqual([]);
    expect(wrong).toContain('this value is refused. Allowed:');
    expect(wrong).not.toContain('hunter');
  });
});

test('OPR-62 a secret is given once in a source: as it is or by a file', () => {
  const path = file('a-secret-of-metrics');
  const token = 'another-secret-of-metrics';
  const twice: OptionSources[] = [
    { flags: { metrics_token: token }, secretFiles: { metrics_token: path } },
    { environment: { AGENTKEEP_METRICS_TOKEN: token, AGENTKEEP_METRICS_TOKEN_FILE: path } },
    { configFile: file(JSON.stringify({ metrics_token: token, metrics_token_file: path })) },
  ];
  for (const sources of twice) {
    expect(problems(sources)).toEqual([expect.stringContaining('are both set. Set one of them.')]);
  }
});

test('a stronger source wins, whichever form it has', () => {
  const path = file('from-a-file-of-secrets');
  const configFile = file(JSON.stringify({ metrics_token_file: path }));
  const environment = { AGENTKEEP_METRICS_TOKEN: 'from-the-environment' };
  const { metrics } = readOptions({ configFile, environment });
  expect(metrics.token).toBe('from-the-environment');
  const flagged = readOptions({ environment, secretFiles: { metrics_token: path } });
  expect(flagged.metrics.token).toBe('from-a-file-of-secrets');
});

test('the path of a file must be a text', () => {
  const [wrong] = problems({ configFile: file('{"store_url_file":7}') });
  expect(wrong).toContain('7 is refused. Allowed: the path of a file.');
});
