/**
 * Prometheus and Alertmanager as Debian has them, with the rules that are shipped, and a receiver
 * of the alerts that they send.
 */
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { freePort } from '@agentkeep/testkit/free-port';
import { OwnProcess } from '@agentkeep/testkit/own-process';
import { CannotRunHereError } from '../../src/proof.js';

/** The folder of the rules and of their tests. */
export const watchFolder = join(import.meta.dirname, '../../../server/deploy/watch');

/** How long a minute of the rules is in the test. */
const MINUTE_MS = 600;
const MINUTES = { m: 1, h: 60, d: 1_440 } as const;

/** A scrape of a process whose loop is blocked has to wait for a pause. */
const PATIENT_SECONDS = 2;

/** A target of Prometheus. */
export interface Target {
  /** Host and port. */
  readonly address: string;
  /** Whether a scrape may take long. */
  readonly isPatient?: boolean;
}

/** An alert as Alertmanager sent it. */
export interface SentAlert {
  readonly status: 'firing' | 'resolved';
  readonly labels: Readonly<Record<string, string>>;
}

/** Paths of the programs. */
interface Programs {
  readonly prometheus: string;
  readonly promtool: string;
  readonly alertmanager: string;
}

/**
 * Returns the programs.
 * @throws {CannotRunHereError} if one is missing.
 */
export function monitoringPrograms(): Programs {
  const [prometheus, promtool] = [found('prometheus'), found('promtool')];
  const alertmanager = found('prometheus-alertmanager') ?? found('alertmanager');
  if (prometheus !== undefined && promtool !== undefined && alertmanager !== undefined) {
    return { prometheus, promtool, alertmanager };
  }
  const names = { prometheus, promtool, 'prometheus-alertmanager': alertmanager };
  const missing = Object.entries(names).flatMap(([name, path]) => (path ? [] : [name]));
  const install = 'apt-get install prometheus prometheus-alertmanager';
  throw new CannotRunHereError(`${missing.join(', ')} not found; on Debian: ${install}.`);
}

/** Makes the durations of rules shorter: ranges of series and `for`. Thresholds stay the same. */
export function shortened(rules: string): string {
  return rules.replaceAll(
    /(?<=\bfor: |\[)(\d+)([mhd])\b/gu,
    (_, count: string, unit: keyof typeof MINUTES) =>
      `${Number(count) * MINUTES[unit] * MINUTE_MS}ms`,
  );
}

/** Both programs, which end with the test. */
export class Monitoring implements AsyncDisposable {
  readonly #prometheus: OwnProcess;
  readonly #alertmanager: OwnProcess;
  readonly #receiver: Server;
  readonly #url: string;
  readonly #received: SentAlert[];

  private constructor(
    processes: readonly [OwnProcess, OwnProcess],
    receiver: Server,
    url: string,
    received: SentAlert[],
  ) {
    [this.#prometheus, this.#alertmanager] = processes;
    this.#receiver = receiver;
    this.#url = url;
    this.#received = received;
  }

  /** Starts both with the shortened rules and no target. */
  static async start(): Promise<Monitoring> {
    const programs = monitoringPrograms();
    const received: SentAlert[] = [];
    const receiver = await receiverOf(received);
    const ports = [await freePort(), await freePort()] as const;
    const alertmanager = await startAlertmanager(programs, ports[0], portOf(receiver));
    const prometheus = await startPrometheus(programs, ports[1], ports[0]);
    const url = `http://127.0.0.1:${ports[1]}`;
    return new Monitoring([prometheus, alertmanager], receiver, url, received);
  }

  /** The alerts that were received as firing, without those that ended. */
  get fired(): readonly SentAlert[] {
    return this.#received.filter(({ status }) => status === 'firing');
  }

  /** Lets Prometheus scrape these targets and no others. */
  async watch(targets: readonly Target[]): Promise<void> {
    await writeTargets(this.#prometheus.directory, targets);
  }

  /** Evaluates an expression. */
  async query(expression: string): Promise<Series[]> {
    const url = `${this.#url}/api/v1/query?query=${encodeURIComponent(expression)}`;
    const answer = (await (await fetch(url)).json()) as QueryAnswer;
    if (answer.data === undefined) throw new Error(`${expression}: ${String(answer.error)}`);
    return answer.data.result.map(({ metric, value: [, text] }) => ({
      metric,
      value: Number(text),
    }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#prometheus.stop();
    await this.#alertmanager.stop();
    this.#receiver.closeAllConnections();
    this.#receiver.close();
  }
}

/** A series of a result. */
interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: number;
}

interface QueryAnswer {
  readonly error?: string;
  readonly data?: {
    readonly result: readonly (Pick<Series, 'metric'> & {
      readonly value: readonly [number, string];
    })[];
  };
}

function found(program: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function receiverOf(received: SentAlert[]): Promise<Server> {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      received.push(...(JSON.parse(text) as { alerts: SentAlert[] }).alerts);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function startAlertmanager(
  { alertmanager }: Programs,
  port: number,
  receiverPort: number,
): Promise<OwnProcess> {
  const running = await OwnProcess.in('agentkeep-alertmanager-', 'TERM');
  const { directory } = running;
  const config = join(directory, 'alertmanager.yaml');
  // Each alert is a group of its own, and is sent at once.
  await writeFile(
    config,
    `route: { receiver: test, group_by: ['...'], group_wait: 0s, group_interval: 1s }
receivers:
  - name: test
    webhook_configs: [{ url: 'http://127.0.0.1:${receiverPort}/' }]
`,
  );
  const words = [
    `--config.file=${config}`,
    `--storage.path=${join(directory, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    // Without others of its kind, which it would wait for.
    '--cluster.listen-address=',
  ];
  await running.start(alertmanager, words, () => isReady(port));
  return running;
}

async function startPrometheus(
  { prometheus }: Programs,
  port: number,
  alertmanagerPort: number,
): Promise<OwnProcess> {
  const running = await OwnProcess.in('agentkeep-prometheus-', 'TERM');
  const { directory } = running;
  const rules = await readFile(join(watchFolder, 'rules.yaml'), 'utf8');
  await writeFile(join(directory, 'rules.yaml'), shortened(rules));
  await writeTargets(directory, []);
  const config = join(directory, 'prometheus.yaml');
  await writeFile(
    config,
    `global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 300ms }
rule_files: [rules.yaml]
alerting: { alertmanagers: [{ static_configs: [{ targets: ['127.0.0.1:${alertmanagerPort}'] }] }] }
scrape_configs:
  - { job_name: agentkeep, file_sd_configs: [{ files: [targets.json] }] }
  - job_name: patient
    scrape_interval: ${PATIENT_SECONDS}s
    scrape_timeout: ${PATIENT_SECONDS}s
    file_sd_configs: [{ files: [patient-targets.json] }]
    relabel_configs: [{ target_label: job, replacement: agentkeep }]
`,
  );
  const words = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(directory, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  await running.start(prometheus, words, () => isReady(port));
  return running;
}

/** Files get their names when they are whole, because Prometheus reads them at once. */
async function writeTargets(directory: string, targets: readonly Target[]): Promise<void> {
  const files = { 'targets.json': false, 'patient-targets.json': true };
  for (const [name, isPatient] of Object.entries(files)) {
    const mine = targets.filter((target) => (target.isPatient ?? false) === isPatient);
    const unfinished = join(directory, `${name}.new`);
    await writeFile(unfinished, JSON.stringify([{ targets: mine.map(({ address }) => address) }]));
    await rename(unfinished, join(directory, name));
  }
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/-/ready`).catch(() => undefined);
  return answer?.ok === true;
}
