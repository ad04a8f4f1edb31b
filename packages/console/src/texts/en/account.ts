/** The texts of the screen My account and of preferences in English. */

/** These texts. */
export const accountTexts = {
  preferences: {
    language: 'Language',
    theme: 'Theme',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  },
  ownAccount: {
    title: 'My account',
    about: 'Your sessions, your programs, and what agents remember of you.',
    sections: 'Sections',
    names: {
      memories: 'What agents remember',
      sessions: 'Sessions',
      programs: 'Connected programs',
      keys: 'API keys',
      password: 'Password',
    },
    none: 'You are signed in without an account',
    noneText: 'A credential has no sessions, programs or password of its own.',
    memories: {
      about: 'Your private memory, which agents that work for you read and write.',
      export: 'Export',
      exportName: (scope: string) => `Export ${scope}`,
      actions: 'Actions',
      empty: 'Agents remember nothing of you in private scopes',
      emptyText: 'Records about you in shared scopes are under Memory.',
      delete:
        'Open a scope to correct or delete its records. To have all of it erased for good, ask an ' +
        'administrator.',
      erase: 'Erase all that is private to me',
    },
  },
} as const;
