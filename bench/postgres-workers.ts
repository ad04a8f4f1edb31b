/** The worker processes of the PostgreSQL benchmark, as their parent sees them. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { makeBareTable } from './bare-sql.js';
import type { Done, Job, Start } from './postgres-jobs.js';

const CONNECTIONS = 10;
/** Workers run from the sources, whether or not the parent does. */
const execArgv = ['--conditions=agentkeep-source', '--import', 'tsx'];
const program = fileURLToPath(new URL('postgres-worker.ts', import.meta.url));

/** Processes with a keep each, over one database. */
export class PostgresWorkers implements AsyncDisposable {
  readonly #processes: readonly ChildProcess[];

  private constructor(processes: readonly ChildProcess[]) {
    this.#processes = processes;
  }

  /** Makes the table for bare SQL, and starts the processes. */
  static async start(url: string, secret: string, servers = 2): Promise<PostgresWorkers> {
    await makeBareTable(url);
    const processes = Array.from({ length: servers }, () => fork(program, { execArgv }));
    const workers = new PostgresWorkers(processes);
    await workers.#tell((name): Start => ({ name, url, secret, connections: CONNECTIONS }));
    return workers;
  }

  /** Returns the calls per second of all workers together; callers are divided among them. */
  async rateOf(job: Job): Promise<number> {
    const busy = Math.min(this.#processes.length, job.callers);
    const total = Math.ceil(job.total / busy);
    const callers = Math.ceil(job.callers / busy);
    const took = await this.#tell((): Job => ({ ...job, total, callers }), busy);
    return (1_000 * busy * total) / Math.max(...took);
  }

  /** Stops the processes. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      this.#processes.map(async (each) => {
        const ended = once(each, 'exit');
        each.kill();
        await ended;
      }),
    );
  }

  #tell(
    messageTo: (name: string) => Start | Job,
    busy = this.#processes.length,
  ): Promise<number[]> {
    return Promise.all(
      this.#processes.slice(0, busy).map(async (each, worker) => {
        const answered = once(each, 'message');
        each.send(messageTo(String(worker)));
        const [done] = (await answered) as [Done];
        if ('failure' in done) throw new Error(done.failure);
        return done.ms;
      }),
    );
  }
}
