/** The texts of invitations, of changes of accounts and of one's own password in English. */

/** These texts. */
export const invitationTexts = {
  invite: {
    open: 'Invite a person',
    needs: (permission: string) =>
      `To invite people, sign in with a secret or an account that has the permission ${permission}.`,
    text: 'Creates an account with a role and a link for the person, who sets the password.',
    name: 'E-mail address or username',
    nameHint: 'The name that the person signs in with.',
    role: 'Role',
    roles: {
      reader: 'Reader: reads memory',
      writer: 'Writer: reads and writes memory',
      proposer: 'Proposer: reads memory and proposes changes',
      reviewer: 'Reviewer: reads memory and decides about proposals',
      admin: 'Administrator: manages people and credentials',
    },
    installationRoles: {
      reader: 'Reader: sees the tenants',
      admin: 'Administrator: manages tenants and the installation',
    },
    scopes: {
      title: (number: number) => `Scope ${number}`,
      add: 'Add a scope',
      remove: (number: number) => `Remove scope ${number}`,
    },
    days: 'Link valid for (days)',
    daysHint: '1 to 30.',
    go: 'Invite',
    link: {
      title: 'Send this link',
      text: 'The link is shown once and works once. Send it over a channel that only that person reads.',
      label: 'Link',
      done: 'I have kept it',
    },
  },
  invitations: {
    title: 'Invitations',
    about: 'People who have not set a password yet.',
    name: 'Person',
    role: 'Role',
    state: 'State',
    states: { waiting: 'waiting', expired: 'expired', revoked: 'revoked' },
    roles: {
      reader: 'Reader',
      writer: 'Writer',
      proposer: 'Proposer',
      reviewer: 'Reviewer',
      admin: 'Administrator',
    },
    expires: 'Link expires',
    actions: 'Actions',
    renew: 'New link',
    renewName: (name: string) => `New link for ${name}`,
    revoke: 'Revoke',
    revokeName: (name: string) => `Revoke the invitation of ${name}`,
    revokeTitle: (name: string) => `Revoke the invitation of ${name}?`,
    revokeText:
      'The link stops working, and the account is deactivated until you invite this person again.',
    revokeGo: 'Revoke the invitation',
  },
  accountChanges: {
    roles: 'Change roles',
    rolesTitle: (name: string) => `Change the roles of ${name}`,
    rolesLabel: 'Roles, separated by commas',
    rolesHint: 'Admin and SuperAdmin give rights over accounts. All sessions of the account end.',
    link: 'Reset link',
    linkTitle: (name: string) => `Make a reset link for ${name}?`,
    linkText:
      'You get a link to send, which sets a new password within a day, once. All sessions of the account end when it is used.',
    linkGo: 'Make the link',
    reset: 'Reset password',
    resetTitle: (name: string) => `Reset the password of ${name}?`,
    resetText:
      'You get a new password to hand over. All sessions and connected programs of the account end.',
    resetDone: {
      title: 'The new password',
      text: 'It is shown once. Hand it over, and ask the person to change it after signing in.',
      label: 'Password',
      done: 'I have kept it',
    },
    deactivate: 'Deactivate',
    deactivateTitle: (name: string) => `Deactivate ${name}?`,
    deactivateText:
      'The account is signed out everywhere and cannot sign in until you activate it again.',
    activate: 'Activate',
    delete: 'Delete',
    deleteTitle: (name: string) => `Delete the account ${name}?`,
    deleteText:
      'Its sessions, API keys and connected programs end for good. The username stays taken.',
    deleteGo: 'Delete the account',
  },
  ownPassword: {
    about:
      'Changing your password signs you out everywhere, including here. API keys keep working.',
    current: 'Current password',
    next: 'New password',
    again: 'New password again',
    rule: 'At least 12 characters, with an upper-case letter, a lower-case letter, a digit and a special character.',
    differ: 'The two new passwords are different.',
    go: 'Change the password',
    changed: 'Your password is changed. Sign in with the new one.',
  },
} as const;
