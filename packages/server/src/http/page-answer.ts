/** Answers with files for browsers. */
import { contentOf, type StaticFile } from '../files/static-file.js';
import type { Received } from './received.js';
import { type Answer, type Answering, respond } from './respond.js';

const GZIP = /(?:^|,)\s*gzip\s*(?:$|,|;\s*q=(?:1|0\.\d))/i;
const GZIP_REFUSED = /gzip\s*;\s*q=0(?:\.0*)?\s*(?:$|,)/i;

/** Answers with a file, or with 304 if the client has it. */
export async function answerPage(
  file: StaticFile,
  received: Pick<Received, 'header'>,
  answering: Answering,
): Promise<Answer> {
  const { etag, plain, gzipped } = await contentOf(file);
  const extra = {
    ...answering.extra,
    'Content-Type': file.contentType,
    'Cache-Control': file.caching,
    ETag: etag,
    Vary: [answering.extra?.['Vary'], 'Accept-Encoding'].filter(Boolean).join(', '),
    'Content-Security-Policy': file.policy,
    'Referrer-Policy': 'no-referrer',
  };
  if (isKnown(etag, received.header('if-none-match'))) {
    return respond(304, '', { ...answering, extra });
  }
  if (!takesGzip(received.header('accept-encoding'))) {
    return respond(200, plain, { ...answering, extra });
  }
  const encoded = { ...extra, 'Content-Encoding': 'gzip' };
  return respond(200, gzipped, { ...answering, extra: encoded });
}

/** Compares weakly, as `If-None-Match` does (RFC 9110, section 13.1.2). */
function isKnown(etag: string, ifNoneMatch: string | null): boolean {
  if (ifNoneMatch === null) return false;
  const known = ifNoneMatch.split(',').map((each) => each.trim());
  return known.some((each) => each === '*' || each === etag || `W/${each}` === etag);
}

function takesGzip(acceptEncoding: string | null): boolean {
  return acceptEncoding !== null && GZIP.test(acceptEncoding) && !GZIP_REFUSED.test(acceptEncoding);
}
