import { createRequire } from 'node:module';
import * as promClient from 'prom-client';
import * as undici from 'undici';
import { expect, test } from 'vitest';
import { loadPromClient } from '../metrics/prom-client.ts';
import { loadUndici } from '../transport/undici.ts';

const require = createRequire(import.meta.url);

/** What the entries of the packages have, by the names that the parts have. */
// oxlint-disable-next-line typescript/unbound-method -- it is only compared
const whole = { ...undici, ...promClient, request: undici.Dispatcher.prototype.request };

test.each([
  ['undici', loadUndici],
  ['prom-client', loadPromClient],
])('the parts of %s are those of its entry, which is not loaded', (name, load) => {
  const loaded: string[] = [];
  const parts = load((id) => (loaded.push(id), require(id)));
  expect(whole).toMatchObject({ ...parts });
  // An update that moves its files costs start-up time from then on.
  expect(loaded).not.toContain(name);
});

test.each([
  ['undici', loadUndici],
  ['prom-client', loadPromClient],
])('if the files of %s have moved, its entry is loaded', (name, load) => {
  const moved = (id: string): unknown => {
    if (id !== name) throw new Error(`Cannot find module '${id}'`);
    return require(id);
  };
  expect(load(moved)).toMatchObject({ ...load() });
});
