import { type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { DevState } from '../../src/dev/model/dev-state.ts';
import { ScriptedSession } from '../dev/scripted-session.ts';
import { scriptedNow, scriptedState } from '../dev/scripted-state.ts';

export interface OpenPageOptions extends BrowserContextOptions {
  state?: DevState;
  /** What follows `#/`. */
  at?: string;
}

/** The page of a session in a new window, at the time of the scripted state. What the browser complains about fails the test. */
export async function openPage(
  browser: Browser,
  { state = scriptedState, at = 'objects', ...options }: OpenPageOptions = {},
): Promise<{ session: ScriptedSession; page: Page; complaints: string[] }> {
  const session = await ScriptedSession.start(state);
  onTestFinished(() => session.page.close());
  const { page, complaints } = await newWindow(browser, options);
  await page.clock.setFixedTime(scriptedNow);
  await page.goto(`${session.page.url}#/${at}`);
  await page.getByRole('navigation').waitFor();
  return { session, page, complaints };
}

/** A new window. What the browser complains about in it fails the test. */
export async function newWindow(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ timezoneId: 'UTC', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  onTestFinished(async () => {
    await context.close();
    const unexpected = complaints.filter((text) => !text.startsWith('Failed to load resource'));
    if (unexpected.length > 0) throw new Error(`The browser complained: ${unexpected.join('\n')}`);
  });
  return { page, complaints };
}
