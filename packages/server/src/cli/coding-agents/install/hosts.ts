/** The coding agents, in the order of the help. */
import { claudeCode } from './claude-code.js';
import { gemini } from './gemini.js';
import type { Host } from './host-files.js';

/** All that can be installed. */
export const hosts: readonly Host[] = [claudeCode, gemini];
