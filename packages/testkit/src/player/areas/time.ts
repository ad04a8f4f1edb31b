/**
 * Time passes, clocks are set, and keeps are closed, killed and opened again.
 */
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';

const MINUTE = 60_000;

/** Durations in milliseconds, the longest drawn least. */
const SPANS = [...[60, 2_000, 4 * MINUTE], ...[60, 2_000, 4 * MINUTE], 400 * MINUTE];

const pass: Rule = {
  name: 'time passes',
  weight: 5,
  run: async ({ dice, clock }) => {
    clock.advance(dice.below(dice.one(SPANS)));
    await Promise.resolve();
  },
};

const setBack: Rule = {
  name: 'the clock is set back',
  weight: 1,
  run: async (play) => {
    const { dice, clock } = play;
    play.setBack(clock.now() - dice.below(dice.one([30, 5 * MINUTE])));
    await Promise.resolve();
  },
};

const toAnEnd: Rule = {
  name: 'the clock shows the end of something, or a moment before',
  weight: 2,
  run: async (play) => {
    const end = play.dice.any(ends(play).filter((each) => each > play.clock.now()));
    if (end !== undefined) play.clock.stepTo(end - play.dice.below(2));
    await Promise.resolve();
  },
};

/** The ends of locks, sessions, tokens, keys, credentials and records. */
function ends({ world, callers }: Play): number[] {
  const found = [
    ...[...world.lockouts.values()].map(({ lock }) => lock?.expiresAt),
    ...world.sessions.filter(({ isEnded }) => !isEnded).map(({ endsAt }) => endsAt),
    ...callers.map((each) => (each.kind === 'jwt' ? each.exp : undefined)),
    ...world.keys.map(({ expiresAt }) => expiresAt),
    ...[...world.globals.values()].map(({ expiresAt }) => expiresAt),
    ...world.branches.ends,
    ...world.memory.ids.map((id) => world.memory.endOf(id)),
    ...world.memory.ids.map((id) => world.memory.contentEndOf(id)),
  ];
  return found.filter((each) => typeof each === 'number');
}

const reopen: Rule = {
  name: 'the keep is opened again',
  weight: 0.7,
  run: (play) => play.reopen(),
};

const crash: Rule = {
  name: 'the process ends without closing the keep',
  weight: 0.3,
  run: (play) => play.reopen({ isCrash: true }),
};

/** Steps that no caller takes. */
export const timeRules = [pass, setBack, toAnEnd, reopen, crash];
