/** A domain: everything that a keep, and what works for all domains alike, need to know of it. */
import type { Operation } from '../../kernel/operation/operation.js';
import type { CountedHasher } from '../../kernel/ports/counted-hasher.js';
import type { DocumentFetcher } from '../../kernel/ports/document-fetcher.js';
import type { SignInProtocol } from '../../kernel/ports/sign-in-protocol.js';
import type { TextEmbedder } from '../../kernel/ports/text-embedder.js';
import type { WebhookSender } from '../../kernel/ports/webhook-sender.js';
import type { ProvidedPort } from '../../kernel/ports/port.js';
import type { Runtime } from '../../kernel/services/runtime.js';
import { Families, type StoredFamily } from '../../storage/families/families.js';
import type { ListedFamily } from '../../storage/store/family.js';
import type { ReadTx } from '../../storage/store/store.js';
import type { CountBacklog } from '../backlog/backlog.js';
import type { DomainErasure } from '../erasure/domain-erasure.js';
import type { DomainLines } from '../lines/domain-lines.js';

/** Work of an open keep in the background. */
export interface StartedSweeper {
  /** Begins once the keep is open; absent if calls begin it. */
  start?(): void;
  /** Stops the repetition and waits for the current run. */
  stop(): Promise<void>;
}

/** What a domain is opened with. */
export interface OpeningParts extends Pick<
  Runtime,
  'store' | 'backend' | 'audit' | 'clock' | 'entropy' | 'newId' | 'heavyWork'
> {
  /** Returns how long the changes of a tenant are kept, in milliseconds. */
  readonly retentionOf: (tx: ReadTx, tenantId: string) => number;
  /** Absent in a keep that sends no messages of webhooks. */
  readonly webhookSender: WebhookSender | undefined;
  /** Absent in a keep that fetches no keys of issuers. */
  readonly documentFetcher: DocumentFetcher | undefined;
  /** Absent in a keep in which people sign in with passwords only. */
  readonly signInProtocol: SignInProtocol | undefined;
  /** Absent in a keep that makes no embeddings for its clients. */
  readonly textEmbedder: TextEmbedder | undefined;
  readonly passwords: CountedHasher;
  /** Most memory of the copies of records that queries read; 0 for none. */
  readonly queryCacheBytes: number;
}

/** What a domain runs in one keep. */
export interface OpenedDomain {
  readonly sweepers: readonly StartedSweeper[];
  readonly ports?: readonly ProvidedPort[];
  /** Drops what it holds of states from before an erasure. */
  readonly dropHeldStates?: () => void;
}

/** A domain. */
export interface Domain {
  /** The modules that state its operations and families. What else they export doesn't matter. */
  readonly modules: readonly Readonly<Record<string, unknown>>[];
  /** What erasures do with its families, beside what they state. */
  readonly erasure?: DomainErasure;
  /** How its families are exported and imported. */
  readonly lines?: DomainLines;
  /** Counts what waits in it. */
  readonly backlog?: CountBacklog;
  /** Returns how long it needs the changes of a tenant, in milliseconds. */
  readonly needsChangesMs?: (tx: ReadTx, tenantId: string) => number;
  /** Makes what works in the background, and what answers its ports. */
  readonly open?: (parts: OpeningParts) => OpenedDomain;
}

/** States a domain. Its type keeps those of its modules. */
export const defineDomain = <const D extends Domain>(domain: D): D => domain;

/** The names of the families that a module exports. */
export type FamilyNamesIn<M> = M extends unknown
  ? Extract<M[keyof M], ListedFamily<string>>['name']
  : never;

/** The names of the operations that a module exports. */
type OperationNamesIn<M> = {
  [K in keyof M]: M[K] extends Pick<Operation, 'kind' | 'name'> ? K : never;
}[keyof M];

/** The operations that a module exports, by their names; `never` for none. */
export type OperationsIn<M> = M extends unknown
  ? [OperationNamesIn<M>] extends [never]
    ? never
    : Pick<M, OperationNamesIn<M>>
  : never;

const exportsOf = (domains: readonly Domain[]): unknown[] =>
  domains.flatMap(({ modules }) => modules.flatMap((module) => Object.values(module)));

/**
 * Returns the families of all domains.
 *
 * @throws {TypeError} for two families with one name or number.
 */
export function familiesOf(domains: readonly Domain[]): Families {
  return new Families(exportsOf(domains).filter(isFamily));
}

/**
 * Returns the operations of all domains, by their names.
 *
 * @throws {TypeError} for two operations with one name.
 */
export function operationsOf(domains: readonly Domain[]): Record<string, Operation> {
  const operations: Record<string, Operation> = {};
  for (const operation of exportsOf(domains).filter(isOperation)) {
    const { name } = operation;
    if (name in operations) throw new TypeError(`Two operations are named ${name}.`);
    operations[name] = operation;
  }
  return operations;
}

const isFamily = (value: unknown): value is StoredFamily =>
  value instanceof Object && 'facts' in value && 'number' in value;

const isOperation = (value: unknown): value is Operation =>
  value instanceof Object && 'handler' in value && 'kind' in value;

/** Returns one member of all domains that have it, in their order. */
export function statedBy<M extends 'backlog' | 'erasure' | 'lines' | 'needsChangesMs'>(
  domains: readonly Domain[],
  member: M,
): NonNullable<Domain[M]>[] {
  const stated: NonNullable<Domain[M]>[] = [];
  for (const domain of domains) {
    const each = domain[member];
    if (each) stated.push(each);
  }
  return stated;
}

/** Opens the domains in their order. */
export function openDomains(
  domains: readonly Domain[],
  parts: Omit<OpeningParts, 'retentionOf'> & { readonly retentionMs: number },
): Required<OpenedDomain> {
  const { retentionMs } = parts;
  const needs = statedBy(domains, 'needsChangesMs');
  const retentionOf = (tx: ReadTx, tenantId: string): number =>
    Math.max(retentionMs, ...needs.map((needsMs) => needsMs(tx, tenantId)));
  const opened = domains.flatMap(({ open }) => open?.({ ...parts, retentionOf }) ?? []);
  return {
    sweepers: opened.flatMap(({ sweepers }) => sweepers),
    ports: opened.flatMap(({ ports = [] }) => ports),
    dropHeldStates: () => {
      for (const { dropHeldStates } of opened) dropHeldStates?.();
    },
  };
}
