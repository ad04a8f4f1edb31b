/**
 * How a browser holds the session of a person, and how forms prove that this server made them. The
 * cookie is the access token of the session, so it ends with it; scripts can't read it.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hmacSha256 } from '@agentkeep/core/operator';
import { cookieOf } from '../../cookies/cookie-of.js';

const SESSION = 'agentkeep_session';
const FORM = 'agentkeep_form';

/** Seconds in which a login form has to be sent. */
const FORM_SECONDS = 3_600;

/** The cookies of a server at one address. */
export class BrowserCookies {
  readonly #prefix: string;
  readonly #attributes: string;

  constructor(publicUrl: string) {
    const isSecure = publicUrl.startsWith('https:');
    // The prefix keeps other hosts of the same site from setting the cookie.
    this.#prefix = isSecure ? '__Host-' : '';
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  /** Returns the access token of the browser's session, or `undefined`. */
  session(header: string | null): string | undefined {
    return cookieOf(header, this.#prefix + SESSION);
  }

  /** Returns the cookie that keeps an access token. */
  keepSession(token: string, seconds: number): string {
    return this.#cookie(SESSION, token, seconds);
  }

  /** Returns the cookie that forgets the session. */
  endSession(): string {
    return this.#cookie(SESSION, '', 0);
  }

  /** Returns the secret of the browser that forms are made with, and its cookie if it is new. */
  formSecret(header: string | null): { readonly secret: string; readonly cookies: string[] } {
    const known = this.session(header) ?? cookieOf(header, this.#prefix + FORM);
    if (known !== undefined && known !== '') return { secret: known, cookies: [] };
    const secret = randomBytes(32).toString('base64url');
    return { secret, cookies: [this.#cookie(FORM, secret, FORM_SECONDS)] };
  }

  #cookie(name: string, value: string, seconds: number): string {
    return `${this.#prefix}${name}=${value}; Max-Age=${seconds}; ${this.#attributes}`;
  }
}

/** Returns the token of a form: only a page for this browser can have it. */
export function formToken(secret: string, form: string): string {
  return hmacSha256(secret)(`agentkeep form 1 ${form}`, 'base64url');
}

/** Returns whether a sent form has the token of this browser. */
export function isFormToken(sent: string | null, secret: string, form: string): boolean {
  const expected = Buffer.from(formToken(secret, form));
  const given = Buffer.from(sent ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
