/** The client of buckets, a package that is loaded once a bucket is named, and its errors. */
import { env } from 'node:process';
import type * as Sdk from '@aws-sdk/client-s3';
import type { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { BucketAddress } from './bucket-address.js';
import { targetUnavailable, targetUnsuitable } from './replica-target.js';

/** The package with the client. */
export type BucketSdk = typeof Sdk;

/** How long a connection, and then each silence of a server, may last, in milliseconds. */
const CONNECT_MS = 5_000;
const SILENCE_MS = 30_000;

/** The region of a service that has none. */
const ANY_REGION = 'us-east-1';

/** Loads the package. */
export const loadSdk = (): Promise<BucketSdk> => import('@aws-sdk/client-s3');

/**
 * Returns the package.
 * @throws {AgentkeepError} `replica_unsuitable` if it is not installed.
 */
export async function bucketSdk(load: () => Promise<BucketSdk>): Promise<BucketSdk> {
  try {
    return await load();
  } catch (cause) {
    const message =
      'A bucket as a replication target needs the package @aws-sdk/client-s3. Install it beside ' +
      'Agentkeep: npm install @aws-sdk/client-s3';
    throw targetUnsuitable(message, cause);
  }
}

/** Makes a client. It finds credentials and what the address leaves open by itself. */
export function bucketClient(
  sdk: BucketSdk,
  { region, endpoint }: BucketAddress,
  silenceMs = SILENCE_MS,
): Sdk.S3Client {
  const isNamed = endpoint !== undefined;
  const isElsewhere =
    isNamed || env['AWS_ENDPOINT_URL_S3'] !== undefined || env['AWS_ENDPOINT_URL'] !== undefined;
  const regionOf = region ?? (isElsewhere && !hasRegion() ? ANY_REGION : undefined);
  const options: Sdk.S3ClientConfig = {
    ...(regionOf === undefined ? {} : { region: regionOf }),
    ...(isNamed ? { endpoint } : {}),
    // Names of buckets below the name of another service have no certificate.
    forcePathStyle: isElsewhere,
    // Other services don't know the checksums that the client adds by itself.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: silenceMs },
  };
  return new sdk.S3Client(options);
}

function hasRegion(): boolean {
  return env['AWS_REGION'] !== undefined;
}

/** Returns the status of the answer that an error of the client stands for. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined;
  return (error.$metadata as { readonly httpStatusCode?: number }).httpStatusCode;
}

/** Whether an object is absent, and not its bucket. */
export function isAbsent(error: unknown): boolean {
  return statusOf(error) === 404 && nameOf(error) !== 'NoSuchBucket';
}

/** Names of errors that no other try mends. */
const REFUSED = new Set(['NoSuchBucket', 'CredentialsProviderError', 'InvalidBucketName']);

/** Makes the error of a target from one of the client. */
export function bucketError(address: string, error: unknown): AgentkeepError {
  const status = statusOf(error);
  const name = nameOf(error);
  const isRefused = status === 401 || status === 403 || REFUSED.has(name);
  const lacksRegion = error instanceof Error && error.message === 'Region is missing';
  if (!isRefused && !lacksRegion) return targetUnavailable(address, error);
  const why = lacksRegion ? 'no region' : name;
  const message =
    `${address} can't be used (${why}). Name a bucket and its region, and give credentials that ` +
    'may list, read, write and remove its objects, by AWS_ACCESS_KEY_ID and ' +
    'AWS_SECRET_ACCESS_KEY or as the AWS client finds them.';
  return targetUnsuitable(message, error);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
