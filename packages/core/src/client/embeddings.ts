/** Embeddings of the records that agents write, made behind their writes, and of their queries. */
import { isSameScope } from '../kernel/access/grant-policy.js';
import type { MemoryScopeInput } from '../kernel/access/scope.js';
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { errorCatalogue } from '../contract/errors/catalogue.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import { embeddedText } from '../domains/memory/documents/embedded-text.js';
import type { SearchPage } from '../domains/memory/search/documents/schema.js';
import type { CallOperation } from './call.js';

/** What an {@link Embed} function is asked for. */
export interface EmbedRequest {
  /** Some models make other vectors of what is looked for than of what is stored. */
  readonly kind: 'record' | 'query';
  /** Ends with the keep. */
  readonly signal: AbortSignal;
}

/**
 * Makes embeddings: one array of 1 to 4,096 numbers for each text, all of the same length, or an
 * empty array for a text that the model doesn't understand, which is found by its words alone. It
 * is given up to 32 texts; those of a record are its texts, each on a line of its own.
 */
export interface Embed {
  (texts: readonly string[], request: EmbedRequest): Promise<readonly (readonly number[])[]>;
  /** The embedding space of the model, where no `embeddingSpace` is given beside the function. */
  readonly space?: string;
}

/** A revision of a record that waits for its embedding. */
interface Unembedded {
  readonly scope: MemoryScopeInput;
  readonly recordId: string;
  readonly revision: number;
  readonly text: string;
}

/** What became of the records that were written, since the start. */
export interface EmbeddingReport {
  /** Records that took their embedding. */
  readonly attached: number;
  /** Records that had a newer revision, or were deleted, before their embedding was made. */
  readonly outdated: number;
  /** Records whose text the model doesn't understand; their words find them. */
  readonly skipped: number;
  /** Records that were given up; `memory.embedMissing()` finds them. */
  readonly missed: number;
  /** Why the last one was given up. */
  readonly lastError: unknown;
}

/** A revision, and how its embedding is attached. */
interface Waiting extends Unembedded {
  readonly call: CallOperation;
}

/** How many records of a part took their embedding, and how many can have none. */
interface Attached {
  readonly attached: number;
  readonly skipped: number;
}

/** Texts that one call embeds. */
const TEXTS_MAX = 32;
/** Records that wait at most; further ones are left to `memory.embedMissing()`. */
const WAITING_MAX = 10_000;
/** UTF-16 units of their texts. */
const WAITING_UNITS_MAX = 16_777_216;
const ATTEMPTS = 8;
/** Numbers of one call that attaches them: about 650 kB of JSON. */
const NUMBERS_MAX = 32_768;
const FIRST_DELAY_MS = 1_000;
const QUERIES_KEPT = 64;

// Taken once, so that they go on under the fake timers of a test.
const { clearTimeout, setTimeout } = globalThis;

/** Waits between two attempts; a test replaces it. */
type Wait = (ms: number, signal: AbortSignal) => Promise<unknown>;

/** Waits until the time is over or the signal ends it. It runs in browsers too. */
const waitByTimer: Wait = (ms, signal) =>
  new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
    // A program of Node.js may end while this waits.
    if (typeof timer === 'object') timer.unref();
  });

/**
 * Makes embeddings and attaches them, in the order of the writes. No write waits for it: what fails
 * is tried 8 times, with delays of 1 second and then twice the last one, and is then given up.
 */
export class Embeddings {
  /** The space of the embeddings that it makes; absent for the default of their scope. */
  readonly space: string | undefined;
  readonly #embed: Embed;
  readonly #wait: Wait;
  readonly #ending = new AbortController();
  readonly #waiting: Waiting[] = [];
  readonly #queries = new Map<string, Promise<readonly number[]>>();
  #units = 0;
  readonly #report = {
    ...{ attached: 0, outdated: 0, skipped: 0, missed: 0 },
    lastError: undefined as unknown,
  };
  #run: Promise<void> | undefined;

  constructor(
    embed: Embed,
    {
      space,
      wait = waitByTimer,
    }: { readonly space?: string | undefined; readonly wait?: Wait } = {},
  ) {
    this.#embed = embed;
    this.space = space ?? embed.space;
    this.#wait = wait;
  }

  /** Embeds records soon; those beyond the bounds of the queue are given up. */
  add(call: CallOperation, records: readonly Unembedded[]): void {
    for (const record of records) {
      const isFull =
        this.#waiting.length >= WAITING_MAX || this.#units + record.text.length > WAITING_UNITS_MAX;
      if (isFull || this.#ending.signal.aborted) {
        this.#giveUp(1, new Error(isFull ? 'Too many records wait.' : 'The keep is closed.'));
        continue;
      }
      this.#waiting.push({ ...record, call });
      this.#units += record.text.length;
    }
    this.#run ??= this.#runAll();
  }

  /** Waits until everything that was added so far has its embedding, or was given up. */
  async settled(): Promise<EmbeddingReport> {
    await this.#run;
    return { ...this.#report };
  }

  /** Embeds records now, in a space; returns how many of them were current and took theirs. */
  async embedNow(
    call: CallOperation,
    records: readonly Unembedded[],
    space = this.space,
  ): Promise<number> {
    let attached = 0;
    let rest = records.map((record): Waiting => ({ ...record, call }));
    while (rest.length > 0) {
      const part = firstPartOf(rest);
      attached += (await this.#attach(part, space)).attached;
      rest = rest.slice(part.length);
    }
    return attached;
  }

  /** Embeds the matches of searches now; returns how many of them took their embedding. */
  async embedPages(
    call: CallOperation,
    pages: AsyncIterable<SearchPage>,
    space: string | undefined,
  ): Promise<number> {
    let attached = 0;
    for await (const { matches } of pages) {
      const records = matches.map(({ scope, record: { record_id, revision, payload } }) => ({
        ...{ scope, recordId: record_id, revision, text: embeddedText(payload.content) },
      }));
      const texts = records.filter(({ text }) => text !== '');
      attached += await this.embedNow(call, texts, space);
    }
    return attached;
  }

  /** Returns the embedding of a query. The last 64 are kept, so that pages go on with them. */
  async query(text: string): Promise<readonly number[]> {
    const known = this.#queries.get(text);
    if (known !== undefined) return known;
    const made = this.#vectorsOf([text], 'query').then(([vector = []]) => vector);
    this.#queries.set(text, made);
    const [oldest] = this.#queries.keys();
    if (this.#queries.size > QUERIES_KEPT && oldest !== undefined) this.#queries.delete(oldest);
    made.catch(() => this.#queries.delete(text));
    return made;
  }

  /** Gives up what waits. Records without an embedding are found by words. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#run;
  }

  async #runAll(): Promise<void> {
    // The write that added a record is answered first.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const part = firstPartOf(this.#waiting);
      await this.#attachPatiently(part);
      this.#waiting.splice(0, part.length);
      this.#units -= part.reduce((units, { text }) => units + text.length, 0);
    }
    this.#run = undefined;
  }

  async #attachPatiently(part: readonly Waiting[]): Promise<void> {
    const { signal } = this.#ending;
    let lastError: unknown = new Error('The keep is closed.');
    for (let attempt = 0; attempt < ATTEMPTS && !signal.aborted; attempt += 1) {
      try {
        const { attached, skipped } = await this.#attach(part, this.space);
        this.#report.attached += attached;
        this.#report.skipped += skipped;
        this.#report.outdated += part.length - attached - skipped;
        return;
      } catch (error) {
        lastError = error;
        if (isFinal(error) || attempt === ATTEMPTS - 1) break;
        await this.#wait(FIRST_DELAY_MS * 2 ** attempt, signal).catch(() => undefined);
      }
    }
    this.#giveUp(part.length, lastError);
  }

  #giveUp(records: number, error: unknown): void {
    this.#report.missed += records;
    this.#report.lastError = error;
  }

  async #attach(part: readonly Waiting[], space: string | undefined): Promise<Attached> {
    const vectors = await this.#vectorsOf(
      part.map(({ text }) => text),
      'record',
    );
    let attached = 0;
    const made = part.flatMap(({ recordId, revision }, index) => {
      const values = [...(vectors[index] ?? [])];
      return values.length === 0 ? [] : [{ record_id: recordId, revision, values }];
    });
    const skipped = part.length - made.length;
    // Of a record that was written twice, its last revision.
    const embeddings = [...new Map(made.map((each) => [each.record_id, each])).values()];
    const [first] = part;
    const most = Math.max(1, Math.floor(NUMBERS_MAX / (embeddings[0]?.values.length ?? 1)));
    for (let at = 0; first !== undefined && at < embeddings.length; at += most) {
      const { call, scope } = first;
      const some = embeddings.slice(at, at + most);
      const named = space === undefined ? {} : { space };
      const document = { contract_version: CONTRACT_VERSION, scope, ...named, embeddings: some };
      const { outcomes } = await call('attachEmbeddings', { document });
      attached += outcomes.filter(({ is_attached }) => is_attached).length;
    }
    return { attached, skipped };
  }

  async #vectorsOf(
    texts: readonly string[],
    kind: EmbedRequest['kind'],
  ): Promise<readonly (readonly number[])[]> {
    const { signal } = this.#ending;
    const vectors = await unlessEnded(this.#embed(texts, { kind, signal }), signal);
    if (vectors.length === texts.length) return vectors;
    const message = '`embed` must return one array of numbers for each text.';
    throw new AgentkeepError('invalid_request', {
      members: [{ path: 'embed', expected: 'one array of numbers for each text' }],
      message,
    });
  }
}

/**
 * Requires a function that makes embeddings.
 *
 * @throws {AgentkeepError} `invalid_request`
 */
export function requireEmbed(embeddings: Embeddings | undefined): Embeddings {
  if (embeddings !== undefined) return embeddings;
  const message = 'Give `embed` to openKeep() or connect(), or the numbers of a vector.';
  const members = [{ path: 'embed', expected: 'a function that makes embeddings' }];
  throw new AgentkeepError('invalid_request', { members, message });
}

/** Waits for work until a signal ends it, also where the work ignores the signal. */
async function unlessEnded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let end: () => void = () => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    end = () => {
      reject(new Error('The keep is closed.'));
    };
    signal.addEventListener('abort', end, { once: true });
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Whether another attempt would fail as this one did. */
function isFinal(error: unknown): boolean {
  return error instanceof AgentkeepError && !errorCatalogue[error.code].retryable;
}

/** Returns the first records that one agent wrote in one scope, as many as one call embeds. */
function firstPartOf(waiting: readonly Waiting[]): readonly Waiting[] {
  const [first] = waiting;
  const end = waiting.findIndex(
    ({ call, scope }, index) =>
      index === TEXTS_MAX || call !== first?.call || !isSameScope(scope, first.scope),
  );
  return end === -1 ? waiting.slice() : waiting.slice(0, end);
}
