/** How the trial of the client is run in each runtime. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { TrialResult, TrialSettings } from '../../packages/client/test/runtimes/trial.ts';
import { fetchPackage } from './fetched-packages.ts';
import { bundledTrial, type TrialFolder } from './trial-folder.ts';

/** A runtime that the client is tried in. */
export interface TrialRun {
  readonly version: string;
  /** Runs the trial; `folder` has the packed client and the trial. */
  readonly run: (folder: TrialFolder, settings: TrialSettings) => Promise<TrialResult>;
}

/** A trial takes seconds; a program that takes this long hangs. */
const TIMEOUT_MS = 120_000;

function inProcess(version: string, program: string, words: readonly string[] = []): TrialRun {
  return {
    version,
    run: async ({ folder, main }, settings) => {
      const all = [...words, main, JSON.stringify(settings)];
      const options = { cwd: folder, timeout: TIMEOUT_MS };
      const { stdout } = await promisify(execFile)(program, all, options);
      return JSON.parse(stdout) as TrialResult;
    },
  };
}

/** The Node.js that runs this. */
export function onNode(): TrialRun {
  return inProcess(process.versions.node, process.execPath);
}

/** Deno, with no permission but the network. */
export function onDeno(): TrialRun {
  const { folder, version } = fetchPackage('@deno/linux-x64-glibc', 'latest');
  return inProcess(version, executable(join(folder, 'deno')), [
    'run',
    '--no-prompt',
    '--allow-net=127.0.0.1',
  ]);
}

/** Bun. */
export function onBun(): TrialRun {
  const { folder, version } = fetchPackage('@oven/bun-linux-x64', 'latest');
  return inProcess(version, executable(join(folder, 'bin/bun')));
}

function executable(program: string): string {
  chmodSync(program, 0o755);
  return program;
}

/** A context with what Vercel's edge runtime has, inside Node.js. */
export function onEdgeRuntime(): TrialRun {
  const { folder, version } = fetchPackage('@edge-runtime/vm', 'latest');
  return {
    version,
    run: async (trial, settings) => {
      const { EdgeVM } = createRequire(import.meta.url)(folder) as {
        EdgeVM: new () => { evaluate: (code: string) => Promise<TrialResult> };
      };
      const code = await bundledTrial(trial, 'iife');
      return await new EdgeVM().evaluate(`${code}; trial.tryClient(${JSON.stringify(settings)})`);
    },
  };
}

const workerdConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-01-01",
    )),
    (name = "internet", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;

/** workerd, the runtime of Cloudflare Workers. */
export function onWorkerd(): TrialRun {
  const { folder, version } = fetchPackage('@cloudflare/workerd-linux-64', 'latest');
  const program = executable(join(folder, 'bin/workerd'));
  return {
    version,
    run: async (trial, settings) => {
      const worker = `${await bundledTrial(trial, 'esm')}
export default {
  fetch: async (request) => Response.json(await tryClient(await request.json())),
};
`;
      writeFileSync(join(trial.folder, 'worker.js'), worker);
      writeFileSync(join(trial.folder, 'config.capnp'), workerdConfig);
      const words = ['serve', 'config.capnp', '--control-fd=3'];
      const stdio = ['ignore', 'inherit', 'inherit', 'pipe'] as const;
      const child = spawn(program, words, { cwd: trial.folder, stdio: [...stdio] });
      const ended = once(child, 'close');
      try {
        const port = await listeningPort(child.stdio[3] as Readable);
        const init = { method: 'POST', body: JSON.stringify(settings) };
        const signal = AbortSignal.timeout(TIMEOUT_MS);
        const answer = await fetch(`http://127.0.0.1:${port}/`, { ...init, signal });
        return (await answer.json()) as TrialResult;
      } finally {
        child.kill();
        await ended;
      }
    },
  };
}

/** Reads the port from the first line that workerd writes about a socket. */
async function listeningPort(control: Readable): Promise<number> {
  for await (const line of createInterface(control)) {
    const { event, port } = JSON.parse(line) as { event: string; port: number };
    if (event === 'listen') return port;
  }
  throw new Error('workerd ended before it listened.');
}
