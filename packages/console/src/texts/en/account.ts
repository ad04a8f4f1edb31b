/** The texts of the screen My account and of preferences in English. */

/** These texts. */
export const accountTexts = {
  preferences: {
    language: 'Language',
    theme: 'Theme',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
  },
  ownAccount: {
    title: 'My account',
    about: 'Your sessions, connected programs, and what agents remember about you.',
    sections: 'Sections',
    names: {
      memories: 'What agents remember',
      sessions: 'Sessions',
      programs: 'Connected programs',
      keys: 'API keys',
      password: 'Password',
    },
    none: 'You are signed in without an account',
    noneText: 'A credential has no sessions, connected programs or password.',
    memories: {
      about: 'Your private memory. Agents that work for you read and write it.',
      export: 'Export',
      exportName: (scope: string) => `Export ${scope}`,
      actions: 'Actions',
      empty: 'Agents have stored no private memory for you',
      emptyText: 'Records about you in shared scopes are listed under Memory.',
      delete:
        'Open a scope to correct or delete its records. To have all of it permanently erased, ask an ' +
        'administrator.',
      erase: 'Erase my private memory',
    },
  },
} as const;
