/** A server with its store on disk, for hooks of coding agents; it can stop, and be silent. */
import { createServer as listen, type Server } from 'node:http';
import { type Keep, openKeep } from '../../packages/core/src/index.ts';
import { bootstrapTenant } from '../../packages/core/src/operator.ts';
import { createServer, type RunningServer, startServer } from '../../packages/server/src/index.ts';

/** The projects of the persons, which the server gives each of them. */
const PROJECTS = ['keep.example/acme/shop', 'keep.example/acme/blog'];

/** The server. */
export class KeptServer implements AsyncDisposable {
  readonly #keep: Keep;
  #running: RunningServer | undefined;
  #silent: Server | undefined;
  #port = 0;

  private constructor(keep: Keep) {
    this.#keep = keep;
  }

  static async open(dataDir: string): Promise<KeptServer> {
    const server = new KeptServer(await openKeep({ dataDir }));
    await server.start();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Returns the secrets of agents of two persons, who work in the same projects. */
  async secrets(): Promise<readonly string[]> {
    const { secret } = await bootstrapTenant(this.#keep, { tenantId: 'acme', subjectId: 'ops' });
    const admin = await this.#keep.authenticate(secret);
    const issued = ['ann', 'bob'].map((subject) =>
      admin.credentials.issue({
        subject_id: subject,
        capabilities: ['memory_read', 'memory_write'],
        grants: PROJECTS.map((project) => ({
          project_id: project,
          agent_id: 'coding-agent',
          visibility: 'private',
        })),
      }),
    );
    return (await Promise.all(issued)).map((each) => each.secret);
  }

  /** Serves again, at the same address. */
  async start(): Promise<void> {
    await this.stop();
    const at = { host: '127.0.0.1', port: this.#port };
    this.#running = await startServer(createServer(this.#keep), at);
    this.#port = Number(new URL(this.#running.url).port);
  }

  /** Takes connections at its address, and never answers. */
  async beSilent(): Promise<void> {
    await this.stop();
    const silent = listen(() => undefined);
    await new Promise<void>((resolve) => silent.listen(this.#port, '127.0.0.1', resolve));
    this.#silent = silent;
  }

  async stop(): Promise<void> {
    this.#silent?.closeAllConnections();
    this.#silent?.close();
    await this.#running?.stop();
    this.#running = undefined;
    this.#silent = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#keep.close();
  }
}
