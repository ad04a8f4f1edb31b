/** Checks the model of the option `meaning`: on this machine, and what waits at the server. */
import { performance } from 'node:perf_hooks';
import type { TextEmbedder } from '@agentkeep/core';
import { urlOf } from '../../lifecycle/start-server.js';
import { silentLogger } from '../../log/logger.js';
import { METRICS_PATH } from '../../metrics/metrics.js';
import type { ServiceOptions } from '../../options/read-options.js';
import { CommandError } from '../command/command-error.js';
import { serverModel } from '../serving/server-model.js';
import { type Finding, findingsOf } from './finding.js';

const TIMEOUT_MS = 10_000;
const METRICS_TIMEOUT_MS = 2_000;
const WAITING = /^agentkeep_waiting\{queue="embeddings"\} (\d+)$/m;
const FAILING = /^agentkeep_model_up 0$/m;
const SENTENCE = 'The car is in the garage for repairs.';

/** Tries the model here, and asks the configured server what waits; nothing without the option. */
export async function checkModel(options: ServiceOptions): Promise<Finding[]> {
  if (!options.meaning) return [];
  return [await modelFinding(), ...(await serverFindings(options))];
}

async function modelFinding(): Promise<Finding> {
  const result = findingsOf('meaning');
  try {
    const model = await serverModel(silentLogger);
    try {
      const startedMs = performance.now();
      await firstEmbedding(model.textEmbedder);
      const tookMs = Math.ceil(performance.now() - startedMs);
      return result.ok(`The model loads and makes an embedding on this machine, in ${tookMs} ms.`);
    } finally {
      await model.close();
    }
  } catch (error) {
    if (error instanceof CommandError) {
      return result.problem(error.message, 'Or serve without the option meaning.');
    }
    const reason = error instanceof Error ? error.message : String(error);
    return result.problem(
      `The model cannot make an embedding on this machine: ${reason}`,
      'Reinstall @agentkeep/meaning. Until then, records without an embedding are found by words.',
    );
  }
}

async function firstEmbedding(model: TextEmbedder): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error(`It took longer than ${TIMEOUT_MS / 1_000} seconds.`));
    });
  });
  const made = model.embed([SENTENCE], { kind: 'query', signal });
  const [values = []] = await Promise.race([made, late]);
  if (values.length === 0) throw new Error('It did not understand an English sentence.');
}

/** Returns nothing where no server answers, which another check says, or shows its metrics. */
async function serverFindings({ host, port, metrics }: ServiceOptions): Promise<Finding[]> {
  const url = metrics.port === undefined ? urlOf(host, port) : urlOf(metrics.host, metrics.port);
  if ((metrics.port ?? port) === 0) return [];
  const text = (await metricsAt(`${url}${METRICS_PATH}`, metrics.token)) ?? '';
  const result = findingsOf('meaning');
  const findings: Finding[] = [];
  if (FAILING.test(text)) {
    findings.push(
      result.problem(
        `The model of the server at ${url} failed at its last request.`,
        'Look for "the model makes no embeddings" in the log of the server, which says why. The server ' +
          'tries again; until then, records without an embedding are found by words.',
      ),
    );
  }
  const [, found] = WAITING.exec(text) ?? [];
  if (found === '0') findings.push(result.ok(`No record waits for an embedding at ${url}.`));
  else if (found !== undefined) {
    findings.push(
      result.ok(
        `${found} records or more wait for an embedding at ${url}. Until then they are found by words.`,
        'If the number does not fall, look for "the model makes no embeddings" in the log, and ' +
          'for tenants whose storage quota is full.',
      ),
    );
  }
  return findings;
}

async function metricsAt(url: string, token: string | undefined): Promise<string | undefined> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(METRICS_TIMEOUT_MS);
  try {
    const answer = await fetch(url, { headers, signal, redirect: 'error' });
    return answer.ok ? await answer.text() : undefined;
  } catch {
    return undefined;
  }
}
