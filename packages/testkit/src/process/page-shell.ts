/**
 * Follows the commands of a page of the documentation: one bash in a directory of its own, beside a
 * server with a tenant, an administrator, an agent and a record.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openKeep, type ScopeInput } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { freePort } from './free-port.js';

const cli = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url));

/** The scope of the agent. */
export const SCOPE: ScopeInput = {
  project_id: 'support',
  agent_id: 'helper',
  visibility: 'private',
};

/** The text of the record `style`. */
export const TEXT = 'The customer prefers short answers.';

/** Ports that pages name, which become free ones. */
const PORTS = ['7474', '7475'];

/** Starts the server that pages assume. */
const START = `agentkeep serve > server.log &
until agentkeep health-check 2> /dev/null; do :; done
`;

/** A block of commands of a page. */
export interface PageCommands {
  /** `sh` or `sql`. */
  readonly info: string;
  readonly text: string;
  /** First line of the block on the page. */
  readonly line: number;
}

/** What a page assumes, and what replaces its fixed values. */
export interface PageSetting {
  /** Whether the page starts its first server itself. */
  readonly startsServer?: boolean;
  /** URL of a superuser, as whom blocks of SQL run. */
  readonly superuserUrl?: string;
  /** Texts of the page with what replaces each. */
  readonly replaced?: Readonly<Record<string, string>>;
}

/** A directory in which a page is followed, and what it holds at the end. */
export class PageShell implements AsyncDisposable {
  readonly directory: string;
  /** URL of the server of the page. */
  readonly url: string;
  /** Secrets from before the page. */
  readonly secrets: Secrets;
  readonly #replaced: Readonly<Record<string, string>>;
  #group: number | undefined;

  private constructor(directory: string, secrets: Secrets, ports: readonly number[]) {
    this.directory = directory;
    this.secrets = secrets;
    this.#replaced = Object.fromEntries(PORTS.map((port, at) => [port, String(ports[at])]));
    this.url = `http://127.0.0.1:${String(ports[0])}`;
  }

  /** Makes the directory with the store, the files of secrets and the profiles. */
  static async open(): Promise<PageShell> {
    const directory = await mkdtemp(join(tmpdir(), 'agentkeep-page-'));
    const ports = [await freePort(), await freePort()];
    const shell = new PageShell(directory, await makeStore(join(directory, 'data')), ports);
    await shell.#writeFiles();
    return shell;
  }

  /**
   * Runs the blocks of a page, from top to bottom, in one bash. Returns what each one printed.
   * @throws {Error} for the first command that fails, with the line of its block.
   */
  async follow(blocks: readonly PageCommands[], setting: PageSetting = {}): Promise<string[]> {
    const script = [
      'trap \'echo "the block at line $at failed" >&2\' ERR\nat=0\n',
      setting.startsServer === true ? '' : START,
      ...blocks.map((block) => this.#commandsOf(block, setting)),
    ];
    const out = await open(join(this.directory, 'shell.out'), 'w');
    const error = await open(join(this.directory, 'shell.error'), 'w');
    // Servers that the page leaves running belong to the group of the shell.
    const bash = spawn('bash', ['-Eeuo', 'pipefail', '-c', script.join('')], {
      cwd: this.directory,
      env: this.#environment(),
      stdio: ['ignore', out.fd, error.fd],
      detached: true,
    });
    this.#group = bash.pid;
    const [status] = (await once(bash, 'exit')) as [number | null];
    await Promise.all([out.close(), error.close()]);
    const printed = await this.read('shell.out');
    if (status !== 0) throw new Error(`${printed}\n${await this.read('shell.error')}`);
    return printed.split(MARK).slice(1);
  }

  /** Reads a file of the directory. */
  read(name: string): Promise<string> {
    return readFile(join(this.directory, name), 'utf8');
  }

  /** Ends what the page left running, and removes the directory. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      if (this.#group !== undefined) process.kill(-this.#group, 'SIGKILL');
    } catch {
      // Nothing was left running.
    }
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }

  #commandsOf({ info, text, line }: PageCommands, setting: PageSetting): string {
    const replaced = Object.entries({ ...this.#replaced, ...setting.replaced }).reduce(
      (changed, [from, to]) => changed.replaceAll(from, to),
      text,
    );
    const head = `at=${String(line)}\nprintf '${MARK}'\n`;
    if (info === 'sh') return head + replaced;
    const { superuserUrl = '' } = setting;
    return `${head}psql -qX -v ON_ERROR_STOP=1 '${superuserUrl}' << 'SQL'\n${replaced}SQL\n`;
  }

  #environment(): Record<string, string> {
    const { directory } = this;
    return {
      PATH: `${join(directory, 'bin')}:${process.env['PATH'] ?? ''}`,
      HOME: directory,
      AGENTKEEP_PORT: new URL(this.url).port,
    };
  }

  async #writeFiles(): Promise<void> {
    const { directory, url } = this;
    await mkdir(join(directory, 'bin'));
    const command = `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`;
    await writeFile(join(directory, 'bin/agentkeep'), command, { mode: 0o755 });
    const profiles: Record<string, object> = {};
    for (const [name, secret] of Object.entries(this.secrets)) {
      await writeFile(join(directory, name), secret, { mode: 0o600 });
      profiles[name] = { url, secret_file: join(directory, name) };
    }
    profiles['helper'] = { ...profiles['helper'], scope: SCOPE };
    const folder = join(directory, '.config/agentkeep');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const text = JSON.stringify({ default: 'admin', profiles });
    await writeFile(join(folder, 'profiles.json'), text, { mode: 0o600 });
  }
}

/** Secrets by the profile that they are of. */
type Secrets = Readonly<Record<'admin' | 'helper', string>>;

/** Between the outputs of two blocks. */
const MARK = '@@ block @@';

async function makeStore(dataDir: string): Promise<Secrets> {
  await using keep = await openKeep({ dataDir, audit: { logPath: join(dataDir, 'audit') } });
  const { secret: admin } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const { secret: helper } = await (
    await keep.authenticate(admin)
  ).credentials.issue({
    subject_id: 'helper',
    capabilities: ['memory_read', 'memory_write'],
    grants: [SCOPE],
  });
  const content = { primary: TEXT };
  const agent = await keep.authenticate(helper);
  await agent.memory
    .in(SCOPE)
    .put('style', { episode_type: 'Observation', content, event_time_millis: 0 });
  return { admin, helper };
}
