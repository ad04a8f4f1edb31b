/** Login accounts of a tenant and of the installation, and their sessions. */
import {
  changed,
  cursor,
  end,
  historyOf,
  learnedResource,
  login,
  newLogin,
  revised,
  use,
  type Links,
} from './link.js';
import type { OperationRows } from './operation-row.js';

const revisedAccount = revised('account', 'account');
const newAccount: Links = {
  uses: [use('credential', { 'document.credential_id': 'id' })],
  teaches: [
    learnedResource('account', 'answer.account.id', {
      ...newLogin,
      revision: 'answer.account.revision',
    }),
    learnedResource('login', 'answer.account.id', newLogin),
  ],
};

/** The rows by operation. */
export const loginAccountRows = {
  createTenantLoginAccount: {
    failures: [400, 401, 403, 409, 413, 503],
    ...newAccount,
  },
  createGlobalLoginAccount: {
    failures: [400, 401, 403, 409, 413, 503],
    ...newAccount,
    uses: [use('global credential', { 'document.credential_id': 'id' })],
  },
  inspectTenantLoginAccount: {
    failures: [400, 401, 403],
    ...historyOf('account', { uses: [use('account', { 'path.id': 'id' })] }),
  },
  inspectGlobalLoginAccount: {
    failures: [400, 401, 403],
    ...historyOf('account', { uses: [use('account', { 'path.id': 'id' })] }),
  },
  changePasswordTenantLoginAccount: {
    failures: [400, 401, 403, 409, 413, 503],
    uses: [changed('account')],
    teaches: [revisedAccount],
  },
  changePasswordGlobalLoginAccount: {
    failures: [400, 401, 403, 409, 413, 503],
    uses: [changed('account')],
    teaches: [revisedAccount],
  },
  disableTenantLoginAccount: {
    failures: [400, 401, 403, 409, 413],
    uses: [changed('account')],
    teaches: [end('account', 'path.id')],
  },
  disableGlobalLoginAccount: {
    failures: [400, 401, 403, 409, 413],
    uses: [changed('account')],
    teaches: [end('account', 'path.id')],
  },
  listTenantLoginAccounts: {
    failures: [400, 401, 403, 409, 413],
    ...cursor('accounts', 'answer.page'),
  },
  listGlobalLoginAccounts: {
    failures: [400, 401, 403, 409, 413],
    ...cursor('global accounts', 'answer.page'),
  },
  loginTenant: {
    failures: [400, 401, 403, 409, 413, 503],
    givesSecret: true,
    ...login(),
  },
  loginGlobal: {
    failures: [400, 401, 403, 409, 413, 503],
    givesSecret: true,
    ...login(),
  },
  logout: {
    failures: [401, 403, 409, 413],
  },
} satisfies OperationRows;
