/** A browser without a window: it keeps cookies by origin and follows redirects. */

type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Follows redirects from one site to the next. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();
  readonly #send: Send;

  /** `send` answers for sites of the test; all others are on the network. */
  constructor(send: Send = (url, init) => fetch(url, init)) {
    this.#send = send;
  }

  /** Opens an address, and returns the first answer that leads nowhere. */
  async open(address: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.request(address, init);
    const location = response.headers.get('location');
    return location === null ? response : this.open(new URL(location, address).href);
  }

  /** Opens an address, and returns the first address that starts so, without opening it. */
  async reach(address: string, end: string): Promise<URL> {
    if (address.startsWith(end)) return new URL(address);
    const response = await this.request(address);
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${address}: ${response.status} leads nowhere.`);
    return this.reach(new URL(location, address).href, end);
  }

  /** Sends one request, and keeps the cookies of its answer. */
  async request(address: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(address);
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    const headers = new Headers(init.headers);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    if (cookie !== '') headers.set('cookie', cookie);
    const response = await this.#send(address, { ...init, headers, redirect: 'manual' });
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (/;\s*max-age=0|expires=thu, 01 jan 1970/i.test(each) || value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /** Returns the value of a cookie. */
  cookie(origin: string, name: string): string | undefined {
    return this.#cookies.get(origin)?.get(name);
  }
}
