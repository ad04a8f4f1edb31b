/** The options of a keep, and what can be refused before anything is opened. */
import { type AuditOptions, auditSettings } from '../kernel/audit-log/audit-options.js';
import * as v from 'valibot';
import { SpaceName } from '../domains/memory/documents/attach-schema.js';
import { type Embed } from '../client/embeddings.js';
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { QUERY_CACHE_BYTES_DEFAULT, QUERY_CACHE_BYTES_MIN } from '../contract/limits.js';
import {
  refuseUnknownOptions,
  requireArguments,
  wrongMembers,
} from '../contract/errors/arguments.js';
import {
  type ChangeFeedOptions,
  changeRetentionMs,
} from '../domains/memory/changes/change-feed.js';
import { type LmdbStoreOptions } from '../storage/lmdb-store/open-lmdb-store.js';
import type { PasswordHasher } from '../kernel/ports/password-hasher.js';
import { type Clock } from '../kernel/ports/clock.js';
import { type Entropy } from '../kernel/ports/entropy.js';
import { idleLimitMs, type SessionOptions } from '../domains/people/session/open-session.js';
import {
  type SnapshotOptions,
  snapshotSchedule,
} from '../upkeep/snapshot/schedule/snapshot-options.js';
import {
  type ReplicationOptions,
  replicationSettings,
} from '../upkeep/replication/replication-options.js';
import { type EncryptionOptions } from '../storage/key-files/open-sealed.js';
import type { Store } from '../storage/store/store.js';
import type { DocumentFetcher } from '../kernel/ports/document-fetcher.js';
import { type SignInProtocol } from '../kernel/ports/sign-in-protocol.js';
import type { TextEmbedder } from '../kernel/ports/text-embedder.js';
import type { WebhookSender } from '../kernel/ports/webhook-sender.js';
import { type TokenOptions, tokenSettings } from '../domains/people/token/token-options.js';

/** Ports that a test or a host replaces. */
export interface KeepPorts {
  readonly clock?: Clock;
  readonly entropy?: Entropy;
  /** What is recorded, how long it is kept, and whether files are written too. */
  readonly audit?: AuditOptions;
  /** How passwords are hashed. Default: Argon2id. */
  readonly passwords?: PasswordHasher;
  /** How access tokens are signed, and for how long. */
  readonly tokens?: TokenOptions;
  /** When sessions end. */
  readonly sessions?: SessionOptions;
  /** How long changes of memory can be followed. */
  readonly changes?: ChangeFeedOptions;
  /**
   * How often snapshots are made by themselves, and how many of them are kept. They go into the
   * folder `snapshots` of `dataDir`. Default: none are made.
   */
  readonly snapshots?: SnapshotOptions;
  /**
   * Makes embeddings of the records that agents of this keep write, and of their queries. A record
   * is stored first and can be found by words at once; its embedding follows.
   * `memory.embedMissing()` makes the embeddings of records that others wrote. Default: none are
   * made.
   */
  readonly embed?: Embed;
  /**
   * The name of the model that `embed` uses, 1 to 64 bytes: its embeddings are kept apart from
   * those of other models. Default: the default space of each scope.
   */
  readonly embeddingSpace?: string;
  /**
   * Makes embeddings for all clients of the keep: of every record, behind its commit, and of the
   * texts of searches, so that `recall` finds by meaning too where a client has no `embed`. The
   * server brings its own where it is asked to. Default: none are made.
   */
  readonly textEmbedder?: TextEmbedder;
  /**
   * Sends the messages of webhooks. Without it, webhooks wait for a keep that has one. The server
   * brings its own.
   */
  readonly webhookSender?: WebhookSender;
  /**
   * Fetches the keys of issuers that tenants trust. Without it, only issuers whose keys are stated
   * inline prove credentials. The server brings its own.
   */
  readonly documentFetcher?: DocumentFetcher;
  /**
   * Speaks OpenID Connect with the issuers that people sign in by. Without it, they sign in with
   * passwords only. The server brings its own.
   */
  readonly signInProtocol?: SignInProtocol;
  /**
   * Most memory that searchable copies of records take, so that queries need not read them from the
   * store: 0, or at least 1 MiB. Default: 128 MiB. Unused with a store that several servers share.
   */
  readonly queryCacheBytes?: number;
  /**
   * Seals what is stored with keys of its tenants, subjects and shared scopes. A plain store is
   * turned to encryption beside its work, and never back.
   */
  readonly encryption?: EncryptionOptions;
  /**
   * Copies `dataDir` to a target while the keep is open: a folder on another disk. A text is the
   * address of the target, with the defaults of the other options. Not with `store`. Default:
   * nothing is copied.
   */
  readonly replicateTo?: string | ReplicationOptions;
  /**
   * Whether the level of the store is raised once no older version has had it open for a day. Then
   * versions that don't support the new level are refused. Default: true.
   */
  readonly raiseLevel?: boolean;
}

/** Where a keep stores its data: in a directory of its own, or in a store that is already open. */
export type KeepOptions = KeepPorts &
  (
    | ({
        readonly dataDir: string;
        readonly store?: never;
      } & Omit<LmdbStoreOptions, 'directory'>)
    | {
        readonly store: Store;
        /**
         * The directory for snapshots, which go into its folder `snapshots`. Without it, none can
         * be made.
         */
        readonly dataDir?: string;
      }
  );

const knownOptions = [
  'dataDir',
  'store',
  'durability',
  'mapSizeBytes',
  'reserveBytes',
  'onFatal',
  'clock',
  'entropy',
  'audit',
  'passwords',
  'tokens',
  'sessions',
  'changes',
  'snapshots',
  'webhookSender',
  'documentFetcher',
  'signInProtocol',
  'queryCacheBytes',
  'embed',
  'embeddingSpace',
  'textEmbedder',
  'encryption',
  'replicateTo',
  'raiseLevel',
] as const satisfies readonly (keyof KeepOptions | keyof LmdbStoreOptions)[];

/** Refuses unknown options, and keeps without a place for their data. */
export function requireKnownOptions(options: KeepOptions): void {
  requireArguments('openKeep()', { options });
  refuseUnknownOptions<Partial<Record<(typeof knownOptions)[number], unknown>>>(
    'openKeep()',
    options,
    knownOptions,
  );
  const { dataDir, store, snapshots } = options;
  if (snapshots !== undefined && dataDir === undefined) {
    throw wrongMembers('openKeep()', [
      { path: 'dataDir', expected: 'the directory for the snapshots that `snapshots` schedules' },
    ]);
  }
  if (store !== undefined && options.replicateTo !== undefined) {
    const expected = 'no member: only a keep with `dataDir` and without `store` is copied';
    throw wrongMembers('openKeep()', [{ path: 'replicateTo', expected }]);
  }
  if (store === undefined && (typeof dataDir !== 'string' || dataDir === '')) {
    const message = 'openKeep() needs `dataDir`, the directory of its data, or an open `store`.';
    throw new AgentkeepError('invalid_request', {
      members: [{ path: 'dataDir', expected: 'the path of a directory' }],
      message,
    });
  }
}

/** Checks what can be refused before anything is opened. */
export function settingsOf(ports: KeepOptions) {
  const { audit = {}, tokens = {}, sessions = {}, changes = {}, queryCacheBytes } = ports;
  const { snapshots } = ports;
  requireQueryCacheBytes(queryCacheBytes);
  requireFunction(ports.embed);
  requireBoolean(ports.raiseLevel);
  requireTextEmbedder(ports.textEmbedder);
  const { replicateTo } = ports;
  const replication = replicateTo === undefined ? undefined : replicationSettings(replicateTo);
  try {
    return {
      queryCacheBytes: queryCacheBytes ?? QUERY_CACHE_BYTES_DEFAULT,
      audit: auditSettings(audit),
      tokens: tokenSettings(tokens),
      idleMs: idleLimitMs(sessions),
      retentionMs: changeRetentionMs(changes),
      snapshots: snapshots && snapshotSchedule(snapshots),
      replication,
    };
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const { message } = cause;
    // Each of these messages begins with the option that it is about.
    const [member] = /^\w+\.\w+/u.exec(message) ?? [];
    const members = member === undefined ? [] : [{ path: member, expected: 'a valid option' }];
    throw new AgentkeepError('invalid_request', { members, message, cause });
  }
}

function requireFunction(embed: unknown): void {
  if (embed === undefined || typeof embed === 'function') return;
  const expected = 'a function that makes embeddings';
  throw new AgentkeepError('invalid_request', {
    members: [{ path: 'embed', expected }],
    message: `\`embed\` must be ${expected}.`,
  });
}

function requireBoolean(raiseLevel: unknown): void {
  if (raiseLevel === undefined || typeof raiseLevel === 'boolean') return;
  throw wrongMembers('openKeep()', [{ path: 'raiseLevel', expected: 'true or false' }]);
}

function requireTextEmbedder(embedder: TextEmbedder | undefined): void {
  if (embedder === undefined) return;
  const { embed, space } = Object(embedder) as Partial<Record<keyof TextEmbedder, unknown>>;
  if (typeof embed === 'function' && v.is(SpaceName, space)) return;
  const expected = '{ space, embed }, with the name of a space of 1 to 64 bytes';
  throw new AgentkeepError('invalid_request', {
    members: [{ path: 'textEmbedder', expected }],
    message: `\`textEmbedder\` must be ${expected}.`,
  });
}

function requireQueryCacheBytes(bytes: number | undefined): void {
  const isValid = bytes === undefined || bytes === 0 || bytes >= QUERY_CACHE_BYTES_MIN;
  if (isValid && Number.isSafeInteger(bytes ?? 0)) return;
  const expected = `0, or an integer from ${QUERY_CACHE_BYTES_MIN}`;
  throw new AgentkeepError('invalid_request', {
    members: [{ path: 'queryCacheBytes', expected }],
    message: `\`queryCacheBytes\` must be ${expected}.`,
  });
}
