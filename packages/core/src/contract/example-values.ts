/** What the examples of operations share. */

/** The version that documents of the platform name. */
export const exampleVersion = { contract_version: 1 } as const;

/** The scope that examples act in. */
export const exampleScope = {
  project_id: 'support',
  agent_id: 'helper',
  visibility: 'private',
} as const;

/** Begins a document that acts in the scope. */
export const inExampleScope = { ...exampleVersion, scope: exampleScope } as const;

/** An id, in the form in which the server returns ids. */
export const exampleId = '0198c0de-7a11-7000-8000-5eed00000001';

/** A digest, of nothing in particular. */
export const exampleSha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** 3 November 2025, 09:00 UTC. */
export const exampleMillis = 1_762_160_400_000;

/** A password that the rules accept. */
export const examplePassword = 'Correct-Horse-7';

/** Another password that the rules accept. */
export const otherExamplePassword = 'Staple-Battery-9';
