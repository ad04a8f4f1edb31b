/** The page of a request that was answered before: it says so, and leads to what was made. */
import type { DoorAnswer } from '../request/door-request.js';
import { doorPaths } from '../request/door-paths.js';
import { html, pageAnswer } from '../pages/html.js';

/** Returns the page. `returnTo` leads on to a program that has not got the answer yet. */
export function answeredPage(
  status: number,
  { returnTo }: { readonly returnTo?: string } = {},
): DoorAnswer {
  const title = 'This request was answered already';
  const onward =
    returnTo === undefined ? '' : html`<p><a href="${returnTo}">Continue to the program</a></p>`;
  const content = html`<h1>${title}</h1>
    <p>
      A request is answered once. What was allowed is under
      <a href="${doorPaths.account}">connected programs</a>.
    </p>
    ${onward}`;
  return pageAnswer({ status, title, content });
}
