/** The door of the console at the server, which keeps a session in a cookie of its own. */

const DOOR = '/console/session';
const HEADERS = { 'X-Agentkeep-Console': '1', 'Content-Type': 'application/json' };

/** An access token, and how many seconds it is valid. */
export interface Access {
  readonly access_token: string;
  readonly expires_in: number;
}

/** A refusal of the door: its code and its text. */
export class DoorRefusal extends Error {
  override readonly name = 'DoorRefusal';
  readonly code: string;

  constructor(code: string, text: string) {
    super(text);
    this.code = code;
  }
}

/**
 * Asks for an access token: for the kept session, for one that is to be kept, or for a link that
 * signs in once. Returns `undefined` where there is no session.
 *
 * @throws {DoorRefusal} The link is refused, or the server does not answer for the moment.
 * @throws {TypeError} The server can't be reached.
 */
export async function openDoor(
  sent: { readonly refresh_token: string } | { readonly link: string } | object = {},
): Promise<Access | undefined> {
  const answer = await fetch(DOOR, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(sent),
  });
  if (!answer.ok) {
    const { error, message } = (await answer.json()) as { error: string; message: string };
    throw new DoorRefusal(error, message);
  }
  return ((await answer.json()) as { session: Access | null }).session ?? undefined;
}

/** Ends the kept session. */
export async function closeDoor(): Promise<void> {
  await fetch(DOOR, { method: 'DELETE', headers: HEADERS });
}
