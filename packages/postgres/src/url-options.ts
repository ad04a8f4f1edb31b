/**
 * Options of the store as parameters of its url, for those who can only give a url.
 * @module
 */
import { type PostgresStoreOptions, refuseUnless } from './settings.js';
