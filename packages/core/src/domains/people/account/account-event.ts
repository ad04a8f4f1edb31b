/** History of an account: one event for each revision (docs/contract/login-accounts.md#log-4). */
import * as v from 'valibot';
import { closed } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import { integer } from '../../../contract/schema/number.js';
import { uuid } from '../../../contract/schema/uuid.js';

/** One change of an account; event n made revision n. */
export const AccountEvent = v.pipe(
  closed({
    revision: integer(1),
    action: v.picklist([
      'login_account_created',
      'login_password_changed',
      'login_account_disabled',
      'login_account_updated',
    ]),
    /** The acting credential, else the acting account; for an operator, the account itself. */
    actor_id: uuid(),
    at_millis: integer(),
  }),
  named('LoginAccountEvent'),
);
export type AccountEvent = v.InferOutput<typeof AccountEvent>;
