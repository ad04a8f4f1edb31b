/** Invitations of people. */
import { cursor, learnedResource, use } from './link.js';
import type { OperationRows } from './operation-row.js';

/** The rows by operation. */
export const invitationRows = {
  inviteUser: {
    failures: [400, 401, 403, 404, 409, 413, 503],
    givesSecret: true,
    teaches: [
      learnedResource('user', 'answer.invitation.user.id'),
      learnedResource('invitation code', 'answer.code'),
    ],
  },
  listInvitations: {
    failures: [400, 401, 403, 404],
    ...cursor('invitations'),
  },
  revokeInvitation: {
    failures: [400, 401, 403, 404, 409],
    uses: [use('user', { 'path.id': 'id' })],
  },
  createResetLink: {
    failures: [400, 401, 403, 404, 409, 413],
    givesSecret: true,
    uses: [use('user', { 'path.id': 'id' })],
    teaches: [learnedResource('invitation code', 'answer.code')],
  },
  acceptInvitation: {
    failures: [400, 403, 410, 413, 503],
    uses: [use('invitation code', { 'document.code': 'id' })],
  },
} satisfies OperationRows;
