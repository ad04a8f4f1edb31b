/** The page of a request that was answered before: it says so, and leads to what was made. */
import type { DoorAnswer } from '../request/door-request.js';
import { doorPaths } from '../request/door-paths.js';
import { html, pageAnswer } from '../pages/html.js';

/** Returns the page. `returnTo` leads on to a program that has not got the answer yet. */
export function answeredPage(
  status: number,
  { returnTo }: { readonly returnTo?: string } = {},
): DoorAnswer {
  const title = 'This request is already answered';
  const onward =
    returnTo === undefined ? '' : html`<p><a href="${returnTo}">Continue to the program</a></p>`;
  const content = html`<h1>${title}</h1>
    <p>
      Each request takes one answer. See what you allowed under
      <a href="${doorPaths.account}">Connected programs</a>.
    </p>
    ${onward}`;
  return pageAnswer({ status, title, content });
}
