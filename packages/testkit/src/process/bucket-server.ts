/**
 * A server of buckets for tests: s3rver, which ignores conditional writes, behind a gate that
 * heeds them one request at a time, and that is slow, full or silent when a test says so.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  request as requestOf,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished, pipeline } from 'node:stream/promises';

const BUCKET = 'keep';

/** The credentials that s3rver knows. */
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

/** Prints the port that it serves. */
const S3RVER = `
const S3rver = require(process.argv[1]);
const directory = process.argv[2];
const configureBuckets = [{ name: '${BUCKET}', configs: [] }];
const options = { directory, configureBuckets, port: 0, address: '127.0.0.1', silent: true };
new S3rver(options).run().then(({ port }) => console.log(port));
`;

/** What the gate does with a request instead of passing it on. */
export type Gate = (
  request: IncomingMessage,
  response: ServerResponse,
) => 'pass' | 'answered' | 'lost';

/** A bucket that ends with a test. */
export class BucketServer {
  /** Decides about each request. `lost` passes it on, and breaks the connection after it. */
  gate: Gate = () => 'pass';
  /** Whether conditions are heeded. */
  heedsConditions = true;
  /** Objects that were written and not removed. */
  readonly keys = new Set<string>();
  readonly #server: Server;
  readonly #store: ChildProcess;
  readonly #storePort: number;
  readonly #directory: string;
  /** Conditional writes, one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(directory: string, store: ChildProcess, storePort: number) {
    this.#directory = directory;
    this.#store = store;
    this.#storePort = storePort;
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  /** Starts a server, and puts its credentials into the environment of this process. */
  static async start(): Promise<BucketServer> {
    const directory = await mkdtemp(join(tmpdir(), 'agentkeep-bucket-'));
    const module = createRequire(import.meta.url).resolve('s3rver');
    // It signs where a listing goes on with a cipher that newer versions of OpenSSL leave out.
    const flags = ['--openssl-legacy-provider', '--no-deprecation', '--eval', S3RVER];
    const store = spawn(process.execPath, [...flags, module, directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let port = 0;
    for await (const line of createInterface({ input: store.stdout })) {
      port = Number(line);
      break;
    }
    const made = new BucketServer(directory, store, port);
    made.#server.listen(0, '127.0.0.1');
    await once(made.#server, 'listening');
    Object.assign(process.env, CREDENTIALS);
    return made;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Returns the address of a part of the bucket. */
  address(prefix: string): string {
    return `s3://${BUCKET}/${prefix}?endpoint=${this.endpoint}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    const ended = once(this.#store, 'exit');
    this.#store.kill();
    await ended;
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const decided = this.gate(request, response);
    if (decided === 'answered') return;
    if (request.headers['if-none-match'] === undefined) {
      await this.#pass(request, response, decided);
      return;
    }
    this.#turn = this.#turn.then(() => this.#pass(request, response, decided));
    await this.#turn;
  }

  async #pass(
    request: IncomingMessage,
    response: ServerResponse,
    decided: 'pass' | 'lost',
  ): Promise<void> {
    if (this.#isRefused(request)) return answer(request, response, 412, 'PreconditionFailed');
    const { method, url, headers } = request;
    const to = { host: '127.0.0.1', port: this.#storePort };
    const passed = requestOf({ ...to, method, path: url, headers });
    // A client that breaks off ends the request that was passed on, so none waits behind it.
    pipeline(request, passed).catch(() => passed.destroy());
    try {
      const [answered] = (await once(passed, 'response')) as [IncomingMessage];
      this.#note(request, answered);
      if (decided === 'lost') {
        response.destroy();
        return;
      }
      response.writeHead(answered.statusCode ?? 500, answered.headers);
      await pipeline(answered, response);
    } catch {
      response.destroy();
    }
  }

  #isRefused(request: IncomingMessage): boolean {
    const isConditional = request.headers['if-none-match'] === '*';
    return this.heedsConditions && isConditional && this.keys.has(keyOf(request));
  }

  #note(request: IncomingMessage, { statusCode = 500 }: IncomingMessage): void {
    if (statusCode >= 300) return;
    const { method, url = '' } = request;
    const key = keyOf(request);
    const isPart = url.includes('partNumber=') || url.includes('uploads');
    const isWhole = (method === 'PUT' || method === 'POST') && !isPart;
    if (isWhole) this.keys.add(key);
    if (method === 'DELETE' && !url.includes('uploadId=')) this.keys.delete(key);
  }
}

function keyOf({ url = '' }: IncomingMessage): string {
  return new URL(url, 'http://bucket').pathname;
}

/** Reads a request and answers it with an error of the interface, if its client is still there. */
export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  code: string,
): Promise<void> {
  request.resume();
  try {
    await finished(request, { writable: false });
  } catch {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`);
}
