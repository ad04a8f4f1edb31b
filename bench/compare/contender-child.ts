/** The parent's side of the process of a contender. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CompareLoad, ContenderKind, RowName, ServedContender } from './contender.js';
import type { Order, Report } from './contender-process.js';
import { type ContenderName, contenders } from './contenders.js';

const program = fileURLToPath(new URL('./contender-process.ts', import.meta.url));
const execArgv = ['--import', import.meta.resolve('tsx')];

/** A contender in its own process. */
export class ContenderChild {
  readonly kind: ContenderKind;
  readonly directory: string;
  /** Records that it got over HTTP. */
  servedRecords = 0;
  readonly #process: ChildProcess;
  #served: ServedContender | undefined;

  private constructor(kind: ContenderKind, process: ChildProcess, directory: string) {
    this.kind = kind;
    this.#process = process;
    this.directory = directory;
  }

  /** Starts a contender in an empty directory. */
  static async start(
    name: ContenderName,
    parent: string,
    load: CompareLoad,
  ): Promise<ContenderChild> {
    const kind = await contenders[name]();
    const directory = join(parent, name);
    await mkdir(directory);
    const own = JSON.stringify(loadOf(kind, load));
    const child = fork(program, [name, directory, own], { execArgv });
    await answerOf(child, name);
    return new ContenderChild(kind, child, directory);
  }

  /** Returns the figure of one round, or `undefined` if the contender can't do the work. */
  async measure(row: RowName): Promise<number | undefined> {
    return (await this.#order({ kind: 'measure', row })) as number | undefined;
  }

  /** Starts its HTTP server at the first call. */
  async serve(): Promise<ServedContender> {
    this.#served ??= (await this.#order({ kind: 'serve' })) as ServedContender;
    return this.#served;
  }

  /** Ends it. Returns the number of records that it holds. */
  async close(): Promise<number> {
    const held = (await this.#order({ kind: 'close' })) as number;
    return held + this.servedRecords;
  }

  /** Ends the process, if it runs. */
  end(): void {
    if (this.#process.exitCode === null) this.#process.kill();
  }

  #order(order: Order): Promise<unknown> {
    this.#process.send(order);
    return answerOf(this.#process, order.kind);
  }
}

function loadOf({ recordsMax = Infinity }: ContenderKind, load: CompareLoad): CompareLoad {
  if (load.records <= recordsMax) return load;
  return { ...load, records: recordsMax, shorten: load.shorten * (load.records / recordsMax) };
}

/** Returns how long a new process takes to open a closed directory and read one record. */
export async function timeOfFirstRead(name: ContenderName, directory: string): Promise<number> {
  const child = fork(program, [name, directory, 'first'], { execArgv });
  const exit = once(child, 'exit');
  const tookMs = (await answerOf(child, 'first read')) as number;
  await exit;
  return tookMs;
}

/** Returns the value of the next report of a process. */
function answerOf(child: ChildProcess, what: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => {
      settle(() => reject(new Error(`${what} ended with ${String(code)}.`)));
    };
    const onMessage = (report: Report): void => {
      settle(() => {
        if ('failure' in report) reject(new Error(`${what}: ${report.failure}`));
        else resolve(report.value);
      });
    };
    const settle = (answer: () => void): void => {
      child.off('exit', onExit).off('message', onMessage);
      answer();
    };
    child.once('exit', onExit).once('message', onMessage);
  });
}
