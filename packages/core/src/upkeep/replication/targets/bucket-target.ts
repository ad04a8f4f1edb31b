/**
 * A bucket of S3, or of another service with its interface, as a replication target. To create an
 * object is to write it on the condition that it is absent, which not every service heeds: the
 * opening tries it.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, readFile, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { codeOf } from '../../../storage/lmdb-store/failure.js';
import { syncFile } from '../../../storage/lmdb-store/directory.js';
import { FILE_MODE } from '../../../storage/lmdb-store/private-files.js';
import type { BucketAddress } from './bucket-address.js';
import {
  bucketClient,
  bucketError,
  type BucketSdk,
  bucketSdk,
  isAbsent,
  loadSdk,
  statusOf,
} from './bucket-client.js';
import {
  LISTED_NAMES_MAX,
  type ReplicaTarget,
  requireObjectName,
  targetUnsuitable,
} from './replica-target.js';

/** Least bytes of a part of a large object, which has 10,000 parts at most. */
const PART_BYTES_MIN = 16_777_216;
const PARTS_MAX = 10_000;

/** Tries of a conditional write that another one interrupts. */
const CONFLICTS_MAX = 5;

/** Uploads of this age belong to no writer that still lives, in milliseconds. */
const ABANDONED_MS = 86_400_000;

/** Replaced by tests. */
export interface BucketPorts {
  /** Loads the client. */
  readonly load?: () => Promise<BucketSdk>;
  /** How long a server may be silent, in milliseconds. */
  readonly silenceMs?: number;
}

/**
 * Opens a bucket, with the credentials that the client finds in the environment.
 * @throws {AgentkeepError} `replica_unsuitable` if the client is not installed, if the bucket is
 * absent or refuses the credentials, or if it replaces objects that are to be created;
 * `replica_unavailable` if it does not answer.
 */
export async function openBucketTarget(
  place: BucketAddress,
  { load = loadSdk, silenceMs }: BucketPorts = {},
): Promise<ReplicaTarget> {
  const sdk = await bucketSdk(load);
  const target = new BucketTarget(sdk, bucketClient(sdk, place, silenceMs), place);
  try {
    await target.requireConditions();
    await target.abortAbandoned();
    return target;
  } catch (error) {
    await target.close();
    throw error;
  }
}

/** An upload in parts. */
interface Upload {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string | undefined;
}

class BucketTarget implements ReplicaTarget {
  readonly address: string;
  readonly #sdk: BucketSdk;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;

  constructor(sdk: BucketSdk, client: S3Client, { bucket, prefix }: BucketAddress) {
    this.address = `s3://${bucket}/${prefix}`;
    this.#sdk = sdk;
    this.#client = client;
    this.#bucket = bucket;
    this.#prefix = prefix;
  }

  /** Creates an object twice: only one who is refused the second time can be told apart. */
  async requireConditions(): Promise<void> {
    const name = `probe/${randomUUID()}`;
    let isDecided: boolean;
    try {
      await this.create(name, new Uint8Array(1));
      isDecided = !(await this.create(name, new Uint8Array(1)));
    } catch (error) {
      // 501: the condition is not implemented.
      if (statusOf(causeOf(error)) !== 501) throw error;
      isDecided = false;
    } finally {
      await this.remove(name).catch(() => undefined);
    }
    if (isDecided) return;
    const message =
      `${this.address} ignores conditional writes (If-None-Match), so two servers could write to ` +
      'it at once. Name a bucket of a service that has them, or a folder.';
    throw targetUnsuitable(message);
  }

  /** Removes the parts that killed writers left, where the service lists them. */
  async abortAbandoned(): Promise<void> {
    const place = { Bucket: this.#bucket };
    const { AbortMultipartUploadCommand, ListMultipartUploadsCommand } = this.#sdk;
    const request = new ListMultipartUploadsCommand({ ...place, Prefix: this.#prefix });
    const found = await this.#client.send(request).catch(() => undefined);
    for (const { Key, UploadId, Initiated } of found?.Uploads ?? []) {
      if (Initiated === undefined || Date.now() - Initiated.getTime() < ABANDONED_MS) continue;
      const abort = new AbortMultipartUploadCommand({ ...place, Key, UploadId });
      await this.#client.send(abort).catch(() => undefined);
    }
  }

  list(prefix: string, after?: string): Promise<string[]> {
    return this.#use(async () => {
      const request = new this.#sdk.ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: this.#prefix + prefix,
        MaxKeys: LISTED_NAMES_MAX,
        ...(after === undefined ? {} : { StartAfter: this.#prefix + after }),
      });
      const { Contents = [] } = await this.#client.send(request);
      return Contents.map(({ Key = '' }) => Key.slice(this.#prefix.length));
    });
  }

  read(name: string): Promise<Uint8Array | undefined> {
    const key = this.#keyOf(name);
    return this.#use(async () => (await this.#body(key))?.transformToByteArray());
  }

  create(name: string, bytes: Uint8Array): Promise<boolean> {
    const key = this.#keyOf(name);
    return this.#use(() => this.#created(() => this.#put(key, bytes, '*')));
  }

  put(name: string, bytes: Uint8Array): Promise<void> {
    const key = this.#keyOf(name);
    return this.#use(() => this.#put(key, bytes));
  }

  createFrom(name: string, file: string): Promise<boolean> {
    const key = this.#keyOf(name);
    return this.#use(async () => {
      const { size } = await stat(file);
      if (size <= PART_BYTES_MIN) {
        const bytes = await readFile(file);
        return this.#created(() => this.#put(key, bytes, '*'));
      }
      // Some services heed the condition for whole objects only.
      if (await this.#has(key)) return false;
      return this.#created(() => this.#upload(key, file, size));
    });
  }

  readTo(name: string, file: string): Promise<boolean> {
    const key = this.#keyOf(name);
    return this.#use(async () => {
      const body = await this.#body(key);
      if (body === undefined) return false;
      // In Node.js a body is a stream of it.
      await writeWhole(body as Readable, file);
      return true;
    });
  }

  remove(name: string): Promise<void> {
    const key = this.#keyOf(name);
    return this.#use(async () => {
      const request = new this.#sdk.DeleteObjectCommand({ Bucket: this.#bucket, Key: key });
      await this.#client.send(request);
    });
  }

  close(): Promise<void> {
    this.#client.destroy();
    return Promise.resolve();
  }

  #keyOf(name: string): string {
    requireObjectName(name);
    return this.#prefix + name;
  }

  async #has(key: string): Promise<boolean> {
    try {
      const request = new this.#sdk.HeadObjectCommand({ Bucket: this.#bucket, Key: key });
      await this.#client.send(request);
      return true;
    } catch (error) {
      if (isAbsent(error)) return false;
      throw error;
    }
  }

  async #body(key: string) {
    try {
      const request = new this.#sdk.GetObjectCommand({ Bucket: this.#bucket, Key: key });
      return (await this.#client.send(request)).Body;
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  async #put(key: string, bytes: Uint8Array, condition?: '*'): Promise<void> {
    const input = { Bucket: this.#bucket, Key: key, Body: bytes };
    const conditional = condition === undefined ? input : { ...input, IfNoneMatch: condition };
    await this.#client.send(new this.#sdk.PutObjectCommand(conditional));
  }

  /** Returns whether a conditional write was made. */
  async #created(write: () => Promise<void>): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      try {
        await write();
        return true;
      } catch (error) {
        const status = statusOf(error);
        if (status === 412) return false;
        // 409: another write of the object was under way.
        if (status !== 409 || tries === CONFLICTS_MAX) throw error;
      }
    }
  }

  /** Uploads a file in parts, which become one object at the end. */
  async #upload(key: string, file: string, size: number): Promise<void> {
    const sdk = this.#sdk;
    const place = { Bucket: this.#bucket, Key: key };
    const begun = await this.#client.send(new sdk.CreateMultipartUploadCommand(place));
    const upload = { ...place, UploadId: begun.UploadId };
    try {
      const Parts = await this.#uploadParts(upload, file, size);
      const whole = { ...upload, MultipartUpload: { Parts }, IfNoneMatch: '*' };
      await this.#client.send(new sdk.CompleteMultipartUploadCommand(whole));
    } catch (error) {
      const abort = new sdk.AbortMultipartUploadCommand(upload);
      await this.#client.send(abort).catch(() => undefined);
      throw error;
    }
  }

  async #uploadParts(upload: Upload, file: string, size: number) {
    const parts: { PartNumber: number; ETag: string | undefined }[] = [];
    const handle = await open(file, 'r');
    try {
      const part = Buffer.alloc(Math.max(PART_BYTES_MIN, Math.ceil(size / PARTS_MAX)));
      for (let at = 0; at < size; at += part.length) {
        const { bytesRead } = await handle.read(part, 0, part.length, at);
        const PartNumber = parts.length + 1;
        const Body = part.subarray(0, bytesRead);
        const request = new this.#sdk.UploadPartCommand({ ...upload, PartNumber, Body });
        const { ETag } = await this.#client.send(request);
        parts.push({ PartNumber, ETag });
      }
      return parts;
    } finally {
      await handle.close();
    }
  }

  async #use<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // Of a file of this machine, which the client has no part in.
      if (isOfFile(error)) throw error;
      throw bucketError(this.address, error);
    }
  }
}

async function writeWhole(body: Readable, path: string): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: FILE_MODE });
  try {
    await pipeline(body, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') await rm(path, { force: true });
    throw error;
  }
  await syncFile(path);
}

function causeOf(error: unknown): unknown {
  const detail = error instanceof Error ? error.cause : undefined;
  return detail instanceof Error ? detail.cause : undefined;
}

/** Whether an error names a path of this machine. */
function isOfFile(error: unknown): boolean {
  return error instanceof Error && 'path' in error && 'syscall' in error;
}
