/**
 * A real `agentkeep serve` process over one directory, to be killed and started again.
 * @module
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url));
const LISTENING = /"listening","url":"([^"]+)"/;

/** None of the variables of whoever runs the tests reach the process. */
const env = { PATH: process.env['PATH'] ?? '' };

/** Makes a tenant and gives the secret of its administrator. */
export function bootstrapTenant(dataDir: string, tenantId: string): string {
  const words = [cli, 'bootstrap-tenant', tenantId, 'ops', '--data-dir', dataDir];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`No tenant was made: ${stderr}`);
  return (JSON.parse(stdout) as { secret: string }).secret;
}

/** A process that serves a directory. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #said = '';

  /** Starts the process; it is of use once it {@link listens}. */
  constructor(dataDir: string) {
    const words = [cli, 'serve', '--port', '0', '--data-dir', dataDir];
    this.#child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#ended = once(this.#child, 'close');
    this.#child.stderr!.on('data', (chunk: Buffer) => (this.#said += chunk.toString()));
  }

  /** Resolves with its URL once it listens. */
  async listens(): Promise<string> {
    const out = this.#child.stdout!;
    for (;;) {
      const [, url] = LISTENING.exec(this.#said) ?? [];
      if (url !== undefined) {
        // Its log is read on, or the process would stall on a full pipe.
        out.resume();
        return url;
      }
      const chunk = await Promise.race([once(out, 'data'), this.#ended.then(() => undefined)]);
      if (chunk === undefined) throw new Error(`It ended before it listened: ${this.#said}`);
      this.#said += String(chunk[0]);
    }
  }

  /** Ends it without warning; resolves once it is gone, with the signal that ended it. */
  async kill(): Promise<NodeJS.Signals | null> {
    this.#child.kill('SIGKILL');
    await this.#ended;
    return this.#child.signalCode;
  }

  /** Asks it to end and gives its exit status. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    await this.#ended;
    return this.#child.exitCode;
  }
}
