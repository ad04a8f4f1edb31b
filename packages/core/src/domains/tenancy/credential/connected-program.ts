/**
 * The program that an account connected by OAuth, and the bounds of connections
 * (docs/contract/oauth.md).
 */
import * as v from 'valibot';
import { closed } from '../../../contract/schema/document.js';
import { describedAs, named } from '../../../contract/schema/json-schema.js';
import { textId } from '../../../contract/schema/text.js';
import { uuid } from '../../../contract/schema/uuid.js';

/** OAuth: most characters of the id of a program. */
export const CLIENT_ID_CHARS_MAX = 2_048;

/** OAuth: most programs that an account has connected at a time. */
export const CONNECTIONS_MAX = 64;

/** OAuth: most scopes of a connection. */
export const CONNECTION_GRANTS_MAX = 32;

/** OAuth: most days that a connection lives. */
export const CONNECTION_DAYS_MAX = 365;

/** OAuth: seconds in which a program has to redeem an approval. */
export const APPROVAL_SECONDS = 600;

/** OAuth: seconds that an access token of a connection lives. */
export const CONNECTION_TOKEN_SECONDS = 600;

/** All kinds of access of programs, in the order of the consent page. */
export const ACCESS_NAMES = ['read', 'write', 'learn'] as const;

/** What a person lets a program do, in the words of the consent page and of OAuth's `scope`. */
export const ProgramAccess = v.pipe(v.picklist(ACCESS_NAMES), named('ProgramAccess'));
export type ProgramAccess = v.InferOutput<typeof ProgramAccess>;

const CLIENT_ID = '^[\\x21-\\x7e]+$';

/** The id of a program: an https URL of its metadata, or what registration returned. */
export function clientId() {
  return v.pipe(
    v.string(),
    v.regex(new RegExp(CLIENT_ID), 'visible ASCII characters'),
    v.maxLength(CLIENT_ID_CHARS_MAX),
    describedAs({ type: 'string', pattern: CLIENT_ID, maxLength: CLIENT_ID_CHARS_MAX }),
  );
}

/** The program as it named itself, and the account that connected it. */
export const ConnectedProgram = v.pipe(
  closed({
    client_id: clientId(),
    /** As the program states it, so nothing to rely on. */
    client_name: v.nullable(textId()),
    /** The host that the program's answers go to. */
    client_host: textId(),
    account_id: uuid(),
    access: v.array(ProgramAccess),
  }),
  named('ConnectedProgram'),
);
export type ConnectedProgram = v.InferOutput<typeof ConnectedProgram>;
