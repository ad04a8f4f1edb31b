/** The model of a server that makes embeddings: in an optional package, on a thread of its own. */
import type { TextEmbedder } from '@agentkeep/core';
import type { Logger } from '../../log/logger.js';
import { CommandError } from '../command/command-error.js';

const PACKAGE = '@agentkeep/meaning';

/** A model, and its end. */
export interface ServerModel {
  readonly textEmbedder: TextEmbedder;
  /** Ends the thread of the model. */
  close(): Promise<void>;
}

/**
 * Returns the model of the optional package. The log says when it begins to fail, and when it
 * works again.
 * @throws {CommandError} when the package is not installed.
 */
export async function serverModel(log: Logger): Promise<ServerModel> {
  const { meaning } = await importPackage();
  const embed = meaning();
  let isFailing = false;
  return {
    close: () => embed.close(),
    textEmbedder: {
      space: embed.space,
      embed: async (texts, request) => {
        try {
          const made = await embed(texts, request);
          if (isFailing) log.info('the model makes embeddings again');
          isFailing = false;
          return made;
        } catch (error) {
          if (!isFailing && !request.signal.aborted) {
            const advice =
              'Records without an embedding are found by words. The server tries again.';
            log.warn('the model makes no embeddings', { error, advice });
          }
          isFailing = true;
          throw error;
        }
      },
      restart: () => embed.close(),
    },
  };
}

async function importPackage() {
  try {
    return await import('@agentkeep/meaning');
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause;
    if (!isMissing || cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new CommandError(
      `The option meaning needs the package ${PACKAGE}. Install it beside @agentkeep/server: ` +
        `npm install ${PACKAGE}`,
      { cause },
    );
  }
}
