/** A browser without scripts: it keeps cookies, follows redirects, and sends forms. */

/** What answers the browser: a server in process, or one at its address. */
export interface Answering {
  request(url: string, init: RequestInit): Response | Promise<Response>;
}

/** The page that a browser shows. */
export interface ShownPage {
  readonly status: number;
  /** Path and query. */
  readonly target: string;
  readonly text: string;
  readonly headers: Headers;
}

/** What a browser ends up with: a page, or an address elsewhere. */
export type Arrival = ShownPage | { readonly left: URL };

const HIDDEN = /<input type="hidden" name="([^"]*)" value="([^"]*)"/g;

/** A browser of one person. */
export class FormBrowser {
  readonly #app: Answering;
  readonly #origin: string;
  readonly cookies = new Map<string, { readonly value: string; readonly path: string }>();

  constructor(app: Answering, origin: string) {
    this.#app = app;
    this.#origin = origin;
  }

  /** Opens an address of the server. */
  open(target: string): Promise<Arrival> {
    return this.#go(target, { method: 'GET' });
  }

  /** Opens an address, and requires that it leads to a page. */
  async page(target: string): Promise<ShownPage> {
    return shown(await this.open(target));
  }

  /** Sends the form of a page to `action`, with what a person filled in. */
  send(
    page: ShownPage,
    action: string,
    filled: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Arrival> {
    const form = new URLSearchParams();
    for (const [, name = '', value = ''] of page.text.matchAll(HIDDEN)) {
      form.set(name, unescaped(value));
    }
    for (const [name, value] of Object.entries(filled)) form.set(name, value);
    return this.post(action, form.toString(), headers);
  }

  /** Sends a form. */
  post(action: string, body: string, headers: Readonly<Record<string, string>> = {}) {
    const type = { 'content-type': 'application/x-www-form-urlencoded', origin: this.#origin };
    return this.#go(action, { method: 'POST', body, headers: { ...type, ...headers } });
  }

  async #go(target: string, init: RequestInit): Promise<Arrival> {
    const url = new URL(target, this.#origin);
    if (url.origin !== this.#origin) return { left: url };
    const headers = { ...(init.headers as object), cookie: this.#cookiesFor(url.pathname) };
    const response = await this.#app.request(url.href, { ...init, headers });
    for (const each of response.headers.getSetCookie()) this.#keep(each);
    const location = response.headers.get('location');
    if (location !== null) return this.#go(new URL(location, url).href, { method: 'GET' });
    const text = await response.text();
    const { status } = response;
    return { status, target: url.pathname + url.search, text, headers: response.headers };
  }

  #cookiesFor(pathname: string): string {
    const fitting = [...this.cookies].filter(([, { path }]) => pathname.startsWith(path));
    return fitting.map(([name, { value }]) => `${name}=${value}`).join('; ');
  }

  #keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split(';');
    const [name = '', value = ''] = pair.split('=');
    const path = attributes.map((each) => /^\s*path=(.*)$/i.exec(each)?.[1]).find(Boolean) ?? '/';
    const isGone = /max-age=0\b|expires=thu, 01 jan 1970/i.test(cookie);
    if (isGone) this.cookies.delete(name);
    else this.cookies.set(name, { value, path });
  }
}

/** Returns a page. */
export function shown(arrival: Arrival): ShownPage {
  if ('left' in arrival) throw new Error(`The browser left for ${arrival.left.href}`);
  return arrival;
}

/** Returns the address that the browser was led to. */
export function left(arrival: Arrival): URL {
  if ('left' in arrival) return arrival.left;
  throw new Error(`The browser stayed: ${arrival.status} ${arrival.target} ${arrival.text}`);
}

function unescaped(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}
