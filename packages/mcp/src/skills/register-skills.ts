/** The skills extension of the protocol (io.modelcontextprotocol/skills, SEP-2640). */
import {
  fromJsonSchema,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
} from '@modelcontextprotocol/server';
import type { McpCaller } from '../mcp-caller.js';
import { translated } from '../resources/protocol-errors.js';
import { sha256Of } from '../text-digest.js';
import {
  procedureNamed,
  type ServedSkill,
  skillPage,
  type SkillPosition,
} from './served-skills.js';
import { skillOf } from './skill.js';
import { skillAt, uriOfSkill } from './skill-uri.js';

const EXTENSION = 'io.modelcontextprotocol/skills';

/** A procedure may be suspended at any time, so nothing is kept for a while or for others. */
const CACHE = { ttlMs: 0, cacheScope: 'private' } as const;
const START: SkillPosition = { scope: 0, cursor: null };

const ListParams = fromJsonSchema<{ readonly cursor?: string } | undefined>({
  type: 'object',
  properties: { cursor: { type: 'string' } },
});
const GetParams = fromJsonSchema<{ readonly uri: string }>({
  type: 'object',
  properties: { uri: { type: 'string' } },
  required: ['uri'],
});

/** Serves the skills of a caller. Their files are read as resources are, by {@link readSkill}. */
export function registerSkills({ server }: McpServer, caller: McpCaller): void {
  server.registerCapabilities({ extensions: { [EXTENSION]: {} } });
  server.setRequestHandler(
    'skills/list',
    { params: ListParams },
    async (params, { mcpReq: { signal } }): Promise<Result> => {
      const from = params?.cursor === undefined ? START : positionOf(params.cursor);
      const { skills, next } = await translated(skillPage(caller, from, signal));
      const entries = await Promise.all(skills.map((skill) => entryOf(skill)));
      const more = next === undefined ? {} : { nextCursor: cursorOf(next) };
      return { resultType: 'complete', skills: entries, ...more, ...CACHE };
    },
  );
  server.setRequestHandler(
    'skills/get',
    { params: GetParams },
    async ({ uri }, { mcpReq: { signal } }): Promise<Result> => {
      const skill = await entryOf(await servedSkill(uri, caller, signal));
      return { resultType: 'complete', skill, ...CACHE };
    },
  );
}

/**
 * Returns the text of the file of a skill; `undefined` for a URI of another kind.
 * @throws {ProtocolError} for a URI of no skill, and with the reason for one that is not served.
 */
export async function readSkill(
  uri: string,
  caller: McpCaller,
  signal: AbortSignal,
): Promise<string | undefined> {
  return uri.startsWith('skill:') ? (await servedSkill(uri, caller, signal)).text : undefined;
}

async function servedSkill(
  uri: string,
  caller: McpCaller,
  signal: AbortSignal,
): Promise<ServedSkill> {
  const named = skillAt(uri);
  if (named === undefined) throw notServed(uri);
  const { scope, name } = named;
  const found = await translated(procedureNamed(caller, scope, name, signal));
  if (found === undefined) throw notServed(uri);
  const skill = await skillOf(found);
  if (skill !== undefined) return { ...skill, scope };
  const { state, decisions } = found.record;
  const reason = decisions.at(-1)?.reason ?? 'It has not qualified yet.';
  throw notServed(uri, ` Its procedure is ${state}: ${reason}`);
}

function notServed(uri: string, why = ''): ProtocolError {
  const message = `No skill is served at ${uri}.${why}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { uri });
}

/** Returns the entry of a skill in lists: its front matter, and the digest of its only file. */
async function entryOf({ scope, name, frontmatter, text }: ServedSkill) {
  const uri = uriOfSkill({ scope, name });
  const digest = `sha256:${await sha256Of(text)}`;
  const size = new TextEncoder().encode(text).length;
  return { uri, frontmatter, resources: [{ uri, digest, size }] };
}

function cursorOf({ scope, cursor }: SkillPosition): string {
  return `${String(scope)}.${cursor ?? ''}`;
}

function positionOf(text: string): SkillPosition {
  const [, scope, cursor] = /^(\d{1,6})\.(.*)$/su.exec(text) ?? [];
  if (scope === undefined || cursor === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'cursor: not one of skills/list.');
  }
  return { scope: Number(scope), cursor: cursor === '' ? null : cursor };
}
