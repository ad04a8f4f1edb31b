/** What a contender of the comparison does, row by row. */

/** The rows of the comparison, in the order in which they run. */
export const rows = {
  import: { title: 'import', unit: '/s' },
  read: { title: 'read by id', unit: 'µs' },
  ordinary: { title: 'first 20 of an ordinary word', unit: 'ms' },
  rare: { title: 'first 20 of a rare word', unit: 'ms' },
  absent: { title: 'an absent word', unit: 'ms' },
  tag: { title: 'first 20 with a tag', unit: 'ms' },
  storeOne: { title: 'durable store, 1 caller', unit: '/s' },
  storeMany: { title: 'durable store, 64 callers', unit: '/s' },
  httpStore: { title: 'HTTP store, 64 callers', unit: '/s' },
  httpAbsent: { title: 'HTTP, an absent word, 16 callers', unit: '/s' },
  checkKey: { title: 'check of a key, 64 callers', unit: '/s' },
  bytes: { title: 'disk, a record', unit: 'bytes' },
  reopen: { title: 'cold open and first read', unit: 'ms' },
} as const;

/** The name of a row. */
export type RowName = keyof typeof rows;

/** Returns the title of a row with its unit. */
export function nameOf(row: RowName): string {
  return `${rows[row].title}, ${rows[row].unit}`;
}

/** The amount of work. */
export interface CompareLoad {
  /** Records that are imported over all rounds. */
  readonly records: number;
  readonly rounds: number;
  /** Divides the number of operations of a round. */
  readonly shorten: number;
}

/** A record of the comparison. */
export interface SampleRecord {
  readonly text: string;
  readonly tag: string;
  readonly turn: number;
}

/** One thing that can do the work, in a process of its own. */
export interface Contender {
  /** Stores records, many at once. */
  import?(records: readonly SampleRecord[]): Promise<void>;
  /** Stores one record; resolves when it is as durable as it gets. */
  store?(record: SampleRecord): Promise<void>;
  /** Reads the record that was imported as number `index`. */
  read?(index: number): Promise<unknown>;
  /** Returns the number of records among the first 20 whose text has a word. */
  find?(word: string): Promise<number>;
  /** Returns the number of records among the first 20 with a tag. */
  findTag?(tag: string): Promise<number>;
  /** Starts an HTTP server; returns its port and the headers of a request. */
  serve?(): Promise<ServedContender>;
  /** Checks a key that is good. */
  checkKey?(): Promise<unknown>;
  /** Ends it, so that all is on disk. */
  close(): Promise<void>;
}

/** A contender that answers over HTTP. */
export interface ServedContender {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A POST request of a contender that answers over HTTP. */
interface HttpCall<T> {
  readonly path: string;
  readonly body: (value: T) => string;
}

/** How a contender starts, and what is to be known of it. */
export interface ContenderKind {
  readonly title: string;
  /** Whether what it has acknowledged survives the end of the machine. */
  readonly isDurable: boolean;
  /** Most records that it is given, where all of them would take too long. */
  readonly recordsMax?: number;
  /** The requests, where it answers over HTTP. */
  readonly http?: {
    readonly store: HttpCall<SampleRecord>;
    readonly find: HttpCall<string>;
  };
  /** Opens it on an empty directory. */
  open(directory: string): Promise<Contender>;
  /** Opens a directory that was closed, and reads the record that was imported first. */
  readFirst?(directory: string): Promise<unknown>;
}
