/**
 * The helper: stays warm between prompts, recalls over its socket, and sends what waits in the
 * spool.
 * It keeps nothing that the folder does not have, so it may be killed at any time.
 */
import { chmodSync, statSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { chdir } from 'node:process';
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';
import { isDeepStrictEqual } from 'node:util';
import { keysInSpool, readFromSpool, removeFromSpool } from '../capture/spool.js';
import {
  agentsFolder,
  type AgentsFolder,
  type Environment,
  SOCKET,
} from '../state/agents-folder.js';
import { addToDay } from '../state/day-log.js';
import { asObject, objectIn } from '../state/private-json.js';
import { addSeen, digestOfSaid, removeOld, seenIn } from '../state/session-log.js';
import { type Choice, chosenMemory } from '../state/settings.js';
import { openProjectMemory, type ProjectMemory } from './project-memory.js';
import { recalledText } from './recalled-text.js';

/** Without a hook for this long, the helper ends. */
const IDLE_MS = 15 * 60_000;
/** After a failure, what waits is sent again. */
const RETRY_MS = 10_000;
/** A helper that lost its socket to another one notices it in this time. */
const OWNER_MS = 1_000;
const QUESTION_CHARS_MAX = 65_536;

/** Serves hooks until none came for a while, or until another helper has the socket. */
export async function runHelper(environment: Environment, idleMs = IDLE_MS): Promise<void> {
  const folder = agentsFolder(environment);
  chdir(folder.path);
  for (const each of [folder.sessions, folder.days]) removeOld(each);
  const helper = new Helper(folder, idleMs);
  if (await helper.listen()) await helper.ended;
}

/** One helper of a user. */
class Helper {
  readonly ended: Promise<void>;
  readonly #folder: AgentsFolder;
  readonly #idleMs: number;
  #memory: { readonly choice: Choice; readonly memory: Promise<ProjectMemory> } | undefined;
  #sending: Promise<void> | undefined;
  #isAskedAgain = false;
  #idle: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  #inode: bigint | undefined;
  #end: () => void = () => undefined;
  readonly #server: Server;

  constructor(folder: AgentsFolder, idleMs: number) {
    this.#folder = folder;
    this.#idleMs = idleMs;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#serve(socket));
  }

  /** Takes the socket; returns false if another helper answers on it. */
  async listen(): Promise<boolean> {
    if (await isAnswered()) return false;
    removeSocket();
    const before = process.umask(0o177);
    const isTaken = await new Promise<boolean>((resolve) => {
      this.#server.once('error', () => resolve(false));
      this.#server.listen(SOCKET, () => resolve(true));
    });
    process.umask(before);
    if (!isTaken) return false;
    chmodSync(SOCKET, 0o600);
    this.#inode = inodeOfSocket();
    this.#rest();
    // Two helpers that start at once may both take the socket. The first one finds it gone, and
    // leaves the store of this machine to the other, which cannot open it before.
    this.#watch = setInterval(() => this.#isOwner(), OWNER_MS);
    // Opened before the first prompt, which would wait for it.
    void this.#opened().catch(() => undefined);
    this.#send();
    return true;
  }

  #serve(socket: Socket): void {
    this.#rest();
    let asked = '';
    socket.setEncoding('utf8');
    socket.on('error', () => undefined);
    socket.on('data', (part: string) => {
      asked += part;
      if (asked.length > QUESTION_CHARS_MAX) socket.destroy();
      if (!asked.endsWith('\n')) return;
      void this.#answer(asked).then((text) => socket.end(text));
    });
  }

  async #answer(asked: string): Promise<string> {
    const { project, session, host, question } = asObject(objectIn(asked)) ?? {};
    const isWhole = [project, session, host].every((each) => typeof each === 'string');
    if (!isWhole || !this.#isOwner()) return '';
    const about = { project: String(project), session: String(session), host: String(host) };
    const answer =
      typeof question === 'string' ? await this.#recall(about, question).catch(() => '') : '';
    this.#send();
    return answer;
  }

  async #recall(
    { project, session, host }: { project: string; session: string; host: string },
    question: string,
  ): Promise<string> {
    const { sessions, days } = this.#folder;
    const memory = await this.#opened();
    const found = await memory.recall(project, question);
    const seen = new Set([...seenIn(sessions, session), digestOfSaid(question)]);
    const { text, shown } = recalledText(found, seen);
    const digests = shown.flatMap((each) => [each.id, digestOfSaid(each.text)]);
    addSeen(sessions, session, digests);
    const atMillis = Date.now();
    addToDay(
      days,
      shown.map(({ id, text: of }) => ({
        ...{ what: 'recalled' as const, project, host, session, of: id, text: of, atMillis },
      })),
    );
    return text;
  }

  /** Sends what waits, one after the other; what comes meanwhile is sent right after. */
  #send(): void {
    if (this.#sending !== undefined) {
      this.#isAskedAgain = true;
      return;
    }
    clearTimeout(this.#retry);
    this.#sending = this.#sendAll()
      .catch(() => this.#sendLater())
      .finally(() => {
        this.#sending = undefined;
        if (!this.#isAskedAgain) return;
        this.#isAskedAgain = false;
        this.#send();
      });
  }

  async #sendAll(): Promise<void> {
    const { spool } = this.#folder;
    const refused = new Set<string>();
    for (const key of keysInSpool(spool)) {
      if (!this.#isOwner()) return;
      const captured = readFromSpool(spool, key);
      if (captured === undefined || refused.has(captured.project)) continue;
      try {
        const memory = await this.#opened();
        await memory.store(captured, key);
        removeFromSpool(spool, key);
      } catch {
        // It stays. Another project may be one that the server takes.
        refused.add(captured.project);
      }
    }
    if (refused.size > 0) this.#sendLater();
  }

  #sendLater(): void {
    this.#isAskedAgain = false;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#send(), RETRY_MS);
  }

  /** Opens what the person chose, and again once they chose another or its secret was rotated. */
  async #opened(): Promise<ProjectMemory> {
    const { settings, keep } = this.#folder;
    const choice = chosenMemory(settings);
    const open = this.#memory;
    if (open !== undefined && isDeepStrictEqual(open.choice, choice)) return open.memory;
    const memory = closed(open?.memory).then(() => openProjectMemory(choice, keep));
    const opened = { choice, memory };
    this.#memory = opened;
    memory.catch(() => {
      if (this.#memory === opened) this.#memory = undefined;
    });
    return memory;
  }

  /** Returns whether the socket is that of this helper, which else ends. */
  #isOwner(): boolean {
    if (inodeOfSocket() === this.#inode) return true;
    void this.#close();
    return false;
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#close(), this.#idleMs);
  }

  async #close(): Promise<void> {
    clearTimeout(this.#idle);
    clearTimeout(this.#retry);
    clearInterval(this.#watch);
    // The server is left open: closing it would remove the socket, which may be that of another
    // helper.
    await closed(this.#memory?.memory);
    this.#end();
  }
}

async function closed(memory: Promise<ProjectMemory> | undefined): Promise<void> {
  const open = await memory?.catch(() => undefined);
  await open?.close();
}

/**
 * Removes the socket. Not by `rmSync()`, which looks at it with numbers: after that Node.js 20
 * resolves no symbolic link of an import any more, as `realpathSync()` looks at the same array.
 */
function removeSocket(): void {
  if (inodeOfSocket() === undefined) return;
  try {
    unlinkSync(SOCKET);
  } catch {
    // Another helper that starts now removed it.
  }
}

/** Returns the inode of the socket, as a bigint for the same reason. */
function inodeOfSocket(): bigint | undefined {
  return statSync(SOCKET, { bigint: true, throwIfNoEntry: false })?.ino;
}

function isAnswered(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(SOCKET);
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('error', () => end(false));
    socket.once('connect', () => end(true));
  });
}
