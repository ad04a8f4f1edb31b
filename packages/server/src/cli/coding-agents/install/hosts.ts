/** The coding agents, in the order of the help. */
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { cursor } from './cursor.js';
import { gemini } from './gemini.js';
import type { Host } from './host-files.js';
import { opencode } from './opencode.js';
import { vscode } from './vscode.js';

/** All that can be installed. */
export const hosts: readonly Host[] = [claudeCode, codex, gemini, opencode, cursor, vscode];
