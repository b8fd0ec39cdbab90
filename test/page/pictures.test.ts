import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { terminalSvg } from '../support/terminal-svg.ts';
import { buildPage, findChromium, launchChromium } from './browser.ts';
import { openPage } from './open-page.ts';
import { smallPng } from './small-png.ts';

// The pictures of the documentation. `npm run pictures` makes them; the test checks that they can be made, and stay small. They differ
// from machine to machine, because its fonts do, so it does not compare them.

const directory = new URL('../../docs/pictures/', import.meta.url);
/** They are part of the package, so its documentation has them, too. */
const maxBytes = 64 * 1024;
const isUpdate = process.env['MODE'] === 'update-pictures';

/** By the name of the file: what makes the picture. */
const pictures: Readonly<Record<string, (browser: Browser) => Promise<Buffer>>> = {
  'page-objects.png': (browser) => screenshot(browser, 'objects', 690),
  'page-reconciles.png': (browser) => screenshot(browser, 'reconciles', 600),
};

async function screenshot(browser: Browser, at: string, height: number): Promise<Buffer> {
  const viewport = { width: 1120, height };
  const { page } = await openPage(browser, { viewport, at, colorScheme: 'light' });
  await page.getByRole('table').first().waitFor();
  return page.screenshot();
}

const terminalTitle =
  'ots dev in a terminal: an error with file, line and hint, objects as a tree with a pod that fails, reconciles and why each ran, events';

const executable = findChromium();
let browser: Browser;

beforeAll(async () => {
  if (executable !== undefined) [browser] = await Promise.all([launchChromium(executable), buildPage()]);
});

afterAll(() => browser?.close());

describe.skipIf(executable === undefined)('the picture', () => {
  test.each(Object.entries(pictures))('%s is small and up to date in its size', async (name, take) => {
    const picture = smallPng(await take(browser));
    const file = new URL(name, directory);
    if (isUpdate) {
      mkdirSync(directory, { recursive: true });
      writeFileSync(file, picture);
    }
    expect(picture.length).toBeLessThan(maxBytes);
    expect(existsSync(file)).toBe(true);
    // Width and height.
    expect(readFileSync(file).subarray(16, 24)).toEqual(picture.subarray(16, 24));
  });
});

// A session that runs has other names and times each time, so it is recorded only when a person asks for it.
test('the picture terminal.svg is small', async () => {
  const file = new URL('terminal.svg', directory);
  if (isUpdate) {
    const { recordTerminal } = await import('./record-terminal.ts');
    writeFileSync(file, await terminalSvg(await recordTerminal(), terminalTitle));
  }
  expect(statSync(file).size).toBeLessThan(maxBytes);
});
