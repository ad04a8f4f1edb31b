/** Documents of the programs that an account connected (docs/contract/oauth.md). */
import * as v from 'valibot';
import { Scope } from '../../../kernel/access/scope.js';
import { closed } from '../../../contract/schema/document.js';
import { describedAs, named } from '../../../contract/schema/json-schema.js';
import { integer } from '../../../contract/schema/number.js';
import { TEXT_BYTES_MAX } from '../../../contract/limits.js';
import { textId } from '../../../contract/schema/text.js';
import { hasUnseen } from '../../../contract/schema/unseen.js';
import { shownTime } from '../../../contract/schema/time.js';
import { uuid } from '../../../contract/schema/uuid.js';
import {
  clientId,
  CONNECTION_DAYS_MAX,
  CONNECTION_GRANTS_MAX,
  CONNECTIONS_MAX,
  ProgramAccess,
} from '../../tenancy/credential/connected-program.js';

const accesses = v.pipe(
  v.array(ProgramAccess),
  v.minLength(1),
  v.check((items) => new Set(items).size === items.length, 'items that differ'),
  describedAs({ uniqueItems: true }),
);

const program = {
  client_id: clientId(),
  client_name: v.nullable(textId()),
  client_host: textId(),
};

const seenName = v.pipe(
  textId(),
  v.check((name) => !hasUnseen(name), 'no invisible characters'),
  describedAs({
    type: 'string',
    minLength: 1,
    maxLength: TEXT_BYTES_MAX,
    description: `1 to ${TEXT_BYTES_MAX} UTF-8 bytes, not blank, no invisible characters.`,
  }),
);

/** The body that approves what a program asks for. */
export const ApproveConnectionRequest = v.pipe(
  closed({
    ...program,
    client_name: v.nullable(seenName),
    access: accesses,
    grants: v.pipe(v.array(Scope), v.minLength(1), v.maxLength(CONNECTION_GRANTS_MAX)),
    /** Days until the connection ends; the credential of the account may end it earlier. */
    expires_in_days: integer(1, CONNECTION_DAYS_MAX),
  }),
  named('ApproveConnectionRequest'),
);
export type ApproveConnectionRequest = v.InferOutput<typeof ApproveConnectionRequest>;

/** An approval that the program has not redeemed yet. */
export const ConnectionApproval = v.pipe(
  closed({
    /** Names the grant at the authorization server. */
    approval_id: v.string(),
    /** From then on the program cannot redeem it. */
    redeem_until: shownTime(),
  }),
  named('ConnectionApproval'),
);
export type ConnectionApproval = v.InferOutput<typeof ConnectionApproval>;

/** A program that an account connected, and what it may do. */
export const Connection = v.pipe(
  closed({
    /** Id of the credential that the program acts with. */
    id: uuid(),
    ...program,
    access: accesses,
    grants: v.array(Scope),
    created_at: shownTime(),
    expires_at: shownTime(),
  }),
  named('Connection'),
);
export type Connection = v.InferOutput<typeof Connection>;

/** The programs that an account has connected now, the newest first. */
export const ConnectionList = v.pipe(
  closed({ connections: v.pipe(v.array(Connection), v.maxLength(CONNECTIONS_MAX)) }),
  named('ConnectionList'),
);
