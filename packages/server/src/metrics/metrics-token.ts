/** The credential of readers of metrics: a secret text, sent as a Bearer token. */
import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '@agentkeep/core/store';

const TOKEN = /^[\x21-\x7e]{16,512}$/;

/** The accepted texts, as a phrase. */
export const METRICS_TOKEN_ALLOWED = '16 to 512 visible ASCII characters';

/** Returns whether a text can be the secret of metrics. */
export function isMetricsToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Returns whether the value of an `Authorization` header is the right one. */
export type MetricsCheck = (authorization: string | null | undefined) => boolean;

/** Returns a check that takes the same time for each wrong token. */
export function metricsCheck(token: string): MetricsCheck {
  const expected = sha256(token);
  return (authorization) => {
    const given = /^bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1];
    return given !== undefined && timingSafeEqual(sha256(given), expected);
  };
}
