/**
 * The cookie that keeps a person signed in to the console: the refresh token of the session.
 * Scripts can't read it, and a browser sends it to the door alone, from pages of this server.
 */
import { cookieOf } from '../cookies/cookie-of.js';
import { CONSOLE_DOOR } from './console-paths.js';

const NAME = 'agentkeep_console';

/** The cookie at one address of the server: an origin. */
export class ConsoleCookie {
  readonly #name: string;
  readonly #attributes: string;

  constructor(origin: string) {
    const isSecure = origin.startsWith('https:');
    this.#name = isSecure ? `__Secure-${NAME}` : NAME;
    const secure = isSecure ? '; Secure' : '';
    this.#attributes = `Path=${CONSOLE_DOOR}; HttpOnly; SameSite=Strict${secure}`;
  }

  /** Returns the refresh token of a `Cookie` header, or `undefined`. */
  read(header: string | null): string | undefined {
    return cookieOf(header, this.#name);
  }

  /** Returns the cookie that keeps a session. */
  keep(refreshToken: string, seconds: number): string {
    return `${this.#name}=${refreshToken}; Max-Age=${seconds}; ${this.#attributes}`;
  }

  /** Returns the cookie that forgets it. */
  forget(): string {
    return `${this.#name}=; Max-Age=0; ${this.#attributes}`;
  }
}
