/** Addresses of buckets, such as `s3://bucket/prefix?endpoint=https://storage.example`. */
import { parsedUrl } from '../../../contract/texts/parsed-url.js';

/** Where a bucket is. */
export interface BucketAddress {
  readonly bucket: string;
  /** What the keys of all objects begin with: empty, or with `/` at its end. */
  readonly prefix: string;
  /** Default: that of the environment or of the configuration of the client. */
  readonly region: string | undefined;
  /** Origin of a service other than S3. Default: that of the environment, or S3. */
  readonly endpoint: string | undefined;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[\w.-]+\/)*$/;
const REGION = /^[a-z0-9-]+$/;

const PARAMETERS = new Set(['endpoint', 'region']);

/** Returns the parts of an address, or `undefined` if it is none of a bucket. */
export function bucketAddress(address: string): BucketAddress | undefined {
  const url = parsedUrl(address);
  if (url === undefined) return undefined;
  const { protocol, username, password, hash, port, hostname, pathname, searchParams } = url;
  const hasMore = [username, password, hash, port].some((part) => part !== '');
  const isKnown = [...searchParams.keys()].every((name) => PARAMETERS.has(name));
  if (protocol !== 's3:' || hasMore || !isKnown || !BUCKET.test(hostname)) return undefined;
  const path = pathname.replace(/^\//, '').replace(/\/$/, '');
  const prefix = path === '' ? '' : `${path}/`;
  const region = searchParams.get('region') ?? undefined;
  const endpoint = searchParams.get('endpoint') ?? undefined;
  const isWrong =
    !PREFIX.test(prefix) ||
    (region !== undefined && !REGION.test(region)) ||
    (endpoint !== undefined && !isOrigin(endpoint));
  return isWrong ? undefined : { bucket: hostname, prefix, region, endpoint };
}

/** Whether a text is the origin of a server, without credentials. */
function isOrigin(text: string): boolean {
  const url = parsedUrl(text);
  if (url === undefined) return false;
  const { protocol, origin, href } = url;
  return /^https?:$/.test(protocol) && (href === origin || href === `${origin}/`);
}
