/**
 * Starts the example from the command line.
 */
import { runCommand } from './command.js';

process.exitCode = await runCommand(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  env: process.env,
});
