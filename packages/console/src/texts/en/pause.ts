/** English texts of pausing an agent or a person. */

/** The texts, by the place where they are shown. */
export const pauseTexts = {
  pause: {
    label: 'Pause',
    active: (name: string) => `${name} is not paused.`,
    paused: 'paused',
    noReason: 'No reason was given.',
    pauseName: (name: string) => `Pause ${name}`,
    resumeName: (name: string) => `Resume ${name}`,
    title: (name: string) => `Pause ${name}?`,
    text:
      'All calls with the credentials, sessions, API keys and connected programs of this name are ' +
      'refused, and others cannot act for it, until you end the pause. Nothing is deleted.',
    reason: 'Reason',
    reasonHint: 'Only administrators see the reason.',
    go: 'Pause',
  },
} as const;
