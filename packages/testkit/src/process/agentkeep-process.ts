/**
 * Processes of the `agentkeep` command with an environment of their own.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url));

/** Environment variables of a process in addition to `PATH`. */
export type Variables = Readonly<Record<string, string>>;

/** The end of a process. */
export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly error: string;
}

/** Starts a command; both of its outputs are pipes. */
export function startCommand(
  words: readonly string[],
  variables?: Variables,
  program = cli,
): ChildProcess {
  const env = environment(variables);
  return spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Characters kept of each output, because a busy server writes a lot. */
const KEPT_CHARS = 1_000_000;

/** Appends a piece of output as long as there is room. */
export function kept(said: string, chunk: Buffer): string {
  return said.length < KEPT_CHARS ? said + chunk.toString() : said;
}

/** Resolves once a process has ended and all its output is read. */
export async function endOf(child: ChildProcess): Promise<Ended> {
  let out = '';
  let error = '';
  child.stdout!.on('data', (chunk: Buffer) => (out = kept(out, chunk)));
  child.stderr!.on('data', (chunk: Buffer) => (error = kept(error, chunk)));
  await once(child, 'close');
  return { status: child.exitCode, signal: child.signalCode, out, error };
}

/** Runs a command to its end. */
export function runCommand(
  words: readonly string[],
  variables?: Variables,
  program?: string,
): Promise<Ended> {
  return endOf(startCommand(words, variables, program));
}

/** Makes a tenant and returns the secret of its administrator. */
export function bootstrapTenant(dataDir: string, tenantId: string, variables?: Variables): string {
  const words = [cli, 'bootstrap-tenant', tenantId, 'ops', '--data-dir', dataDir];
  const options = { env: environment(variables), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, words, options);
  if (status !== 0) throw new Error(`No tenant was made: ${stderr}`);
  return (JSON.parse(stdout) as { secret: string }).secret;
}

function environment(variables: Variables = {}): Variables {
  return { PATH: process.env['PATH'] ?? '', ...variables };
}
