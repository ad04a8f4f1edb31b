/** Pages without scripts, with every text escaped. */
import { escapedUnseen } from '@agentkeep/core/operator';
import { html as escaped, raw } from 'hono/html';
import type { DoorAnswer } from '../request/door-request.js';
import { doorPaths } from '../request/door-paths.js';

/** Markup whose texts are escaped. */
export type Markup = ReturnType<typeof raw>;

/** Makes markup of a template, whose values are escaped unless they are markup. */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Markup {
  // No value is a promise, so neither is the result.
  return escaped(parts, ...values) as Markup;
}

/**
 * Returns a name or address that somebody else chose: what is not seen in it as escapes, and its
 * direction without effect on the text around it.
 */
export function isolated(text: string): Markup {
  return html`<bdi>${escapedUnseen(text)}</bdi>`;
}

/** A page. */
export interface Page {
  readonly title: string;
  readonly content: Markup;
  readonly status?: number;
  readonly cookies?: readonly string[];
  /** Where forms may lead beside this server, as sources of the policy. */
  readonly formTargets?: readonly string[];
}

/** The mark of the product, as the console shows it. */
const MARK = raw(
  '<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="M3 4h4v3h3V4h4v3h3V4h4v7l-2 2v7h-5v-4a2 2 0 0 0-4 0v4H5v-7l-2-2z"/></svg>',
);

/** Nothing is loaded but the style sheet, nothing runs, and no site may frame the page. */
function policyOf(formTargets: readonly string[]): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "base-uri 'none'",
    ["form-action 'self'", ...formTargets].join(' '),
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Returns the answer with a page. */
export function pageAnswer(page: Page): DoorAnswer {
  const { title, content, status = 200, cookies = [], formTargets = [] } = page;
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Agentkeep</title>
        <link rel="stylesheet" href="${doorPaths.style}" />
      </head>
      <body>
        <main>
          <div class="card">
            <div class="brand">${MARK} Agentkeep</div>
            ${content}
          </div>
        </main>
      </body>
    </html>`;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policyOf(formTargets),
      'Referrer-Policy': 'same-origin',
      'X-Frame-Options': 'DENY',
    },
    cookies,
    body: document.toString(),
  };
}

/** Returns the answer that leads a browser to another page of this server, or to a program. */
export function redirect(location: string, cookies: readonly string[] = []): DoorAnswer {
  return { status: 303, headers: { Location: location }, cookies, body: '' };
}

/** Joins parts of a page. */
export function joined(parts: readonly Markup[]): Markup {
  return raw(parts.map(String).join(''));
}

/** Returns a page that says what went wrong and what to do next. */
export function problemPage(status: number, title: string, text: string): DoorAnswer {
  return pageAnswer({
    status,
    title,
    content: html`<h1>${title}</h1>
      <p>${text}</p>`,
  });
}
