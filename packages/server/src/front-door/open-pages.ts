/** The pages that are served without a front door too, and their style sheet. */
import type { OpenPage } from './door-routes.js';
import { acceptFromPage, type InvitationParts, showInvitation } from './pages/invitation-page.js';
import { STYLE } from './pages/style.js';
import type { DoorAnswer, DoorRequest } from './request/door-request.js';

/** Answers a request for one of them. */
export async function answerOpenPage(
  page: OpenPage,
  request: DoorRequest,
  parts: InvitationParts,
): Promise<DoorAnswer> {
  switch (page) {
    case 'showInvitation':
      return showInvitation(request);
    case 'acceptFromPage':
      return acceptFromPage(request, parts);
    case 'style':
      await request.calls.count(undefined);
      return { status: 200, headers: { 'Content-Type': 'text/css; charset=utf-8' }, body: STYLE };
  }
}
