/** People who sign in by an identity provider that is not ours, in process and over HTTP. */
import { inMemoryStore, openKeep, operations, type Store } from '@agentkeep/core';
import { bootstrapTenant, embeddedInput } from '@agentkeep/core/operator';
import { quickPasswords } from '@agentkeep/core/testing';
import { connect } from '@agentkeep/client';
import { afterEach, describe, expect, test } from 'vitest';
import { createServer, httpDocumentFetcher, openidProtocol } from '../../src/index.js';
import { Browser } from './browser.js';
import { CLIENT, PeopleProvider } from './people-provider.js';

const REDIRECT = 'https://memory.example.test/back';

test('placeholder', () => {
  expect([inMemoryStore, openKeep, operations, bootstrapTenant, embeddedInput].length).toBe(5);
});
