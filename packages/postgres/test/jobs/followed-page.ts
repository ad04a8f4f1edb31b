/** Follows the shell blocks of a page in docs/jobs, word for word but for ports. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@agentkeep/testkit/own-process';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

const fenced = /^```(?<info>[^\n`]*)\n(?<text>[\s\S]*?)^```$/gmu;

/** What is there before a reader begins: a server of this shell, an agent and an administrator. */
const BEFORE = `
umask 077
agentkeep bootstrap-tenant acme ops > bootstrapped.json
sed -E 's/.*"secret":"([^"]+)".*/\\1/' bootstrapped.json > admin
agentkeep serve > server.log &
until agentkeep health-check 2> /dev/null; do :; done
agentkeep profiles set admin --url http://127.0.0.1:7474 --secret-file ./admin
agentkeep credentials issue --profile admin --subject-id helper --capabilities memory_read \\
  --capabilities memory_write --grants project_id=support,agent_id=helper,visibility=private \\
  --write-secret ./helper > /dev/null
agentkeep profiles set helper --url http://127.0.0.1:7474 --secret-file ./helper \\
  --project-id support --agent-id helper --default
agentkeep memory put 'The customer prefers short answers.' --name style > /dev/null
`;

/** Returns the blocks of a page in a language, in order. */
export function blocksIn(page: string, language: string): string[] {
  const text = readFileSync(join(root, 'docs/jobs', page), 'utf8');
  return Array.from(text.matchAll(fenced), ({ groups }) => groups)
    .filter((groups) => groups?.['info'] === language)
    .map((groups) => groups?.['text'] ?? '');
}

/** What became of a page. */
export interface Followed {
  readonly status: number | null;
  readonly out: string;
  readonly error: string;
}

/** What a test adds around the blocks of a page, as shell commands. */
export interface Around {
  /** Whether the server of the reader runs before. */
  readonly isServed?: boolean;
  readonly before?: string;
  readonly after?: string;
  /** The port that stands for 5432. */
  readonly databasePort?: number;
}

/** Runs the shell blocks of a page in a folder of their own, and ends what they started. */
export async function followed(
  page: string,
  { isServed = true, before = '', after = '', databasePort = 5432 }: Around = {},
): Promise<Followed> {
  const folder = mkdtempSync(join(tmpdir(), 'agentkeep-job-'));
  try {
    const ports = new Map([
      ['7474', await freePort()],
      ['7475', await freePort()],
      ['5432', databasePort],
    ]);
    const cli = join(root, 'packages/server/dist/cli.js');
    const program = `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`;
    writeFileSync(join(folder, 'agentkeep'), program, { mode: 0o755 });
    const script = [
      'set -euo pipefail',
      "trap 'kill $(jobs -p) 2> /dev/null || true; wait' EXIT",
      isServed ? BEFORE : '',
      before,
      ...blocksIn(page, 'sh'),
      after,
    ].join('\n');
    const text = script.replaceAll(/\b(?:7474|7475|5432)\b/g, (port) => String(ports.get(port)));
    writeFileSync(join(folder, 'job.sh'), text);
    return await runScript(folder, String(ports.get('7474')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runScript(folder: string, port: string): Promise<Followed> {
  const env = {
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    AGENTKEEP_PORT: port,
  };
  const child = spawn('bash', ['job.sh'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let error = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
  await once(child, 'close');
  return { status: child.exitCode, out, error };
}
