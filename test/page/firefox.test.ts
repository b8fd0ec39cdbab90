import axe from 'axe-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ScriptedSession } from '../dev/scripted-session.ts';
import { object, scriptedState } from '../dev/scripted-state.ts';
import { buildPage, findFirefox } from './browser.ts';
import { type ColorScheme, FirefoxWindow } from './firefox.ts';
import { everyPlace } from './every-place.ts';

// What differs between browsers: the page of `ots dev` in Firefox. All of it is tested in Chromium.

const executable = findFirefox();
const keys = { tab: '\uE004', enter: '\uE007' };

beforeAll(async () => {
  if (executable !== undefined) await buildPage();
});

async function openPage(
  colorScheme: ColorScheme,
): Promise<{ session: ScriptedSession; page: FirefoxWindow }> {
  const session = await ScriptedSession.start(scriptedState);
  onTestFinished(() => session.page.close());
  const page = await FirefoxWindow.open(executable!, colorScheme);
  await page.goto(`${session.page.url}#/objects`);
  await shows(page, 'nav');
  return { session, page };
}

/** Waits until a CSS selector finds an element with a text. */
async function shows(page: FirefoxWindow, selector: string, text = ''): Promise<void> {
  const found = `[...document.querySelectorAll(${JSON.stringify(selector)})].some((element) =>
    element.textContent.includes(${JSON.stringify(text)}))`;
  await expect
    .poll(() => page.evaluate(found), { timeout: 20_000, message: `${selector} ${text}` })
    .toBe(true);
}

describe.skipIf(executable === undefined)('the page in Firefox', () => {
  test.each([
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(20, 23, 26)'],
  ] as const)('shows every view, and axe finds nothing (%s)', async (colorScheme, background) => {
    const { page } = await openPage(colorScheme);
    await page.evaluate(`void (0, eval)(${JSON.stringify(axe.source)})`);
    expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
      background,
    );
    for (const place of everyPlace) {
      await page.evaluate(`void (location.hash = '#/${place}')`);
      await shows(page, `nav a[aria-current=page][href="#/${place.split('/')[0]}"]`);
      const violations = await page.evaluate(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))',
      );
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect([place, violations, overflow]).toEqual([place, [], 0]);
    }
    expect(page.complaints).toEqual([]);
  });

  test('follows the session, and a key press acts on it', async () => {
    const { page, session } = await openPage('light');
    session.change({ type: 'object', value: object('v1', 'Pod', 'new') });
    await shows(page, 'main tbody tr', 'Pod default/new');
    await page.evaluate("void (location.hash = '#/controls')");
    await shows(page, 'main h1', 'Controls');
    const focused = "document.activeElement.innerText ?? ''";
    for (let count = 0; count < 50 && (await page.evaluate(focused)) !== 'Restart'; count++)
      await page.press(keys.tab);
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await page.press(keys.enter);
    await shows(page, '[role=status]', 'Restart: done');
    expect(session.actions).toEqual([{ action: 'restart' }]);
    await session.page.close();
    await shows(page, '[role=status]', 'The session has ended.');
    expect(page.complaints).toEqual([]);
  });
});
