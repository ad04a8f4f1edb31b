/** The types of proposals and their differences, which the client does not name. */
import type { Agent } from '@agentkeep/client';

/** A proposal. */
export type Proposal = Awaited<ReturnType<Agent['proposals']['listPage']>>['items'][number];

/** What a branch changed: a page, with its digest. */
export type DifferencePage = Awaited<ReturnType<Agent['branches']['diffPage']>>;

/** A record that a branch changed. */
export type Difference = DifferencePage['page']['items'][number];
