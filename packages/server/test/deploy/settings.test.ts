/** The files for container engines and systemd name only what there is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  fileVariableOf,
  optionNames,
  secretNames,
  variableOf,
} from '../../src/options/option-table.js';

const folder = join(import.meta.dirname, '../../deploy');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

const known = new Set([...optionNames.map(variableOf), ...secretNames.map(fileVariableOf)]);

const files = ['Dockerfile', 'compose.yaml', 'compose.postgres.yaml', 'agentkeep.service'];

test.each(files)('every variable of %s is an option', (name) => {
  const variables = read(name).match(/AGENTKEEP_[A-Z_]+/g) ?? [];
  expect(variables.filter((variable) => !known.has(variable))).toEqual([]);
});

test.each(['compose.yaml', 'compose.postgres.yaml'])(
  '%s takes from a server what it can',
  (name) => {
    const text = read(name);
    for (const line of ['read_only: true', 'cap_drop: [ALL]', 'init: true', 'no-new-privileges']) {
      expect(text).toContain(line);
    }
    // The port is open to this machine only; a proxy with TLS opens it further.
    expect(text).toContain("ports: ['127.0.0.1:7474:7474']");
    // Compose adds nothing to a text, so a secret would be in the file.
    expect(text).not.toMatch(/PASSWORD: |postgres:\/\//);
  },
);

describe('agentkeep.service', () => {
  const lines = read('agentkeep.service').split('\n');
  const valuesOf = (name: string): string[] =>
    lines.flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));

  test('reads each credential that it loads, and no other', () => {
    const loaded = valuesOf('LoadCredential').map((value) => value.split(':', 1)[0]);
    const read = valuesOf('Environment').flatMap((value) => /=%d\/(\w+)$/.exec(value)?.[1] ?? []);
    expect(loaded).not.toEqual([]);
    expect(read).toEqual(loaded);
  });

  test('is not root, and writes to its own folder only', () => {
    expect(valuesOf('User')).toEqual(['agentkeep']);
    expect(valuesOf('ProtectSystem')).toEqual(['strict']);
    expect(valuesOf('StateDirectory')).toEqual(['agentkeep']);
    expect(valuesOf('ReadWritePaths')).toEqual([]);
    expect(valuesOf('Environment')).toContain('AGENTKEEP_DATA_DIR=%S/agentkeep');
    for (const name of ['NoNewPrivileges', 'ProtectHome', 'PrivateTmp', 'PrivateDevices']) {
      expect(valuesOf(name), name).toEqual(['yes']);
    }
    expect(valuesOf('CapabilityBoundingSet')).toEqual(['']);
  });

  test('waits longer for a stop than a server does', () => {
    const graceSeconds = 10;
    expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThan(graceSeconds);
  });
});
