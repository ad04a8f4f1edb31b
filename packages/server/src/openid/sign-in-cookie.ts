/** The cookie that keeps a sign-in with the browser that began it. Scripts can't read it. */
import { cookieOf } from '../cookies/cookie-of.js';

const NAME = 'agentkeep_sign_in';
const SECONDS = 600;

/** A sign-in that a browser has begun. */
export interface BegunSignIn {
  readonly attempt: string;
  /** The path to go to afterwards. */
  readonly next: string;
}

/** The cookie of a server at one address. */
export class SignInCookie {
  readonly #name: string;
  readonly #attributes: string;

  constructor(publicUrl: string) {
    const isSecure = publicUrl.startsWith('https:');
    // The prefix keeps other hosts of the same site from setting the cookie.
    this.#name = isSecure ? `__Host-${NAME}` : NAME;
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  /** Returns the sign-in of a `Cookie` header, or `undefined`. */
  read(header: string | null): BegunSignIn | undefined {
    const [attempt = '', next = ''] = cookieOf(header, this.#name)?.split('.', 2) ?? [];
    if (attempt === '') return undefined;
    return { attempt, next: Buffer.from(next, 'base64url').toString() };
  }

  /** Returns the cookie of a sign-in. */
  keep({ attempt, next }: BegunSignIn): string {
    const path = Buffer.from(next).toString('base64url');
    return `${this.#name}=${attempt}.${path}; Max-Age=${SECONDS}; ${this.#attributes}`;
  }

  /** Returns the cookie that forgets it. */
  forget(): string {
    return `${this.#name}=; Max-Age=0; ${this.#attributes}`;
  }
}
