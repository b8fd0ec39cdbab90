import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OtsError } from '../../src/errors/ots-error.ts';
import { emptyState } from '../dev/empty-state.ts';
import { ago, object, scriptedState } from '../dev/scripted-state.ts';
import { buildPage, findChromium, launchChromium } from './browser.ts';
import { largeState } from './large-state.ts';
import { openPage } from './open-page.ts';
import { everyPlace } from './every-place.ts';

// The page of `ots dev` in Chromium, with a session whose state is written down.

const executable = findChromium();
let browser: Browser;

beforeAll(async () => {
  if (executable !== undefined) [browser] = await Promise.all([launchChromium(executable), buildPage()]);
});

afterAll(() => browser?.close());

/** The cells of a table's row, as a reader sees them. */
async function cells(page: Page, table: string, row: string | RegExp): Promise<string[]> {
  const found = page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: row }).first();
  const texts = await found.getByRole('rowheader').or(found.getByRole('cell')).allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true });

describe.skipIf(executable === undefined)('the page', () => {
  describe('objects', () => {
    test('are a tree by owner with conditions, columns, finalizers and age', async () => {
      const { page } = await openPage(browser);
      const rows = page.getByRole('table', { name: 'Objects by owner' }).getByRole('rowheader');
      expect(
        await rows.allInnerTexts().then((texts) => texts.map((text) => text.replaceAll(/\s+/g, ' '))),
      ).toEqual([
        expect.stringContaining('Level 1: Website default/blog'),
        expect.stringContaining('Level 2: Deployment default/blog'),
        expect.stringContaining('Level 3: ReplicaSet default/blog-5d8f7'),
        expect.stringContaining('Level 4: Pod default/blog-5d8f7-0'),
        expect.stringContaining('Level 4: Pod default/blog-5d8f7-1'),
        expect.stringContaining('Level 2: Service default/blog'),
        expect.stringContaining('Level 1: Website default/shop'),
        expect.stringContaining('Level 2: Deployment default/shop'),
        expect.stringContaining('Level 3: ReplicaSet default/shop-5d8f7'),
        expect.stringContaining('Level 4: Pod default/shop-5d8f7-0'),
        expect.stringContaining('Level 4: Pod default/shop-5d8f7-1'),
        expect.stringContaining('Level 2: Service default/shop'),
      ]);
      expect(await cells(page, 'Objects by owner', 'Website default/shop')).toEqual([
        expect.stringContaining('Website default/shop'),
        '✕ Ready=False: IngressFailed +1',
        'URL https://shop.example.com REPLICAS 1',
        'web.example.com/dns',
        '95s',
      ]);
    });

    test('open and close by a button, and a filter finds them', async () => {
      const { page } = await openPage(browser);
      const rows = page.getByRole('table').getByRole('rowheader');
      const toggle = page.getByRole('button', { name: 'What Website default/blog owns (2)' });
      await toggle.click();
      expect(await toggle.getAttribute('aria-expanded')).toBe('false');
      await expect.poll(() => rows.count()).toBe(7);
      await page.getByRole('searchbox', { name: 'Filter' }).fill('service');
      await expect.poll(() => rows.count()).toBe(4);
      expect(new URL(page.url()).hash).toBe('#/objects?filter=service');
    });

    test('have a page with a diff of each change, field managers, reconciles and logs', async () => {
      const { page } = await openPage(browser);
      await page.getByRole('link', { name: 'Website default/shop' }).click();
      const detail = page.getByRole('region', { name: 'Object', exact: true });
      const changes = detail.getByRole('group').filter({ hasText: 'version 412' });
      expect(await changes.innerText()).toMatch(/^09:59:20\.000 status\.replicas and 1 more version 412/);
      expect(await changes.getByRole('deletion').allInnerTexts()).toEqual([
        '− 2\n',
        '−     "status": "True",\n',
        '−     "reason": "Serving"\n',
      ]);
      expect(await changes.getByRole('insertion').allInnerTexts()).toEqual([
        '+ 1\n',
        '+     "status": "False",\n',
        '+     "reason": "IngressFailed"\n',
      ]);
      expect(await cells(page, 'Field managers', 'kubectl')).toEqual([
        'kubectl',
        'Apply',
        'spec.image spec.replicas metadata.labels.team',
      ]);
      expect(await cells(page, 'Field managers', 'website-operator')).toContain('Apply of status');
      expect(await cells(page, 'Conditions', 'Ready')).toEqual([
        '✕ Ready=False: IngressFailed',
        'the Ingress could not be created: forbidden',
        '40s',
      ]);
      expect(await detail.getByRole('link', { name: 'Deployment default/shop' }).count()).toBe(1);
      expect(
        await detail.getByRole('row').filter({ hasText: 'again after the error of attempt 2' }).count(),
      ).toBe(1);
      expect(
        await detail.getByRole('row').filter({ hasText: 'IngressFailed could not create' }).count(),
      ).toBe(1);
      expect(await detail.getByRole('row').filter({ hasText: 'default/blog' }).count()).toBe(0);
    });

    test('change while a reader looks, and a deleted object is crossed out', async () => {
      const { page, session } = await openPage(browser);
      const service = scriptedState.objects['service/blog']!;
      session.change({ type: 'object', value: { ...service, isGone: true } });
      await page
        .getByRole('row')
        .filter({ hasText: 'Service default/blog' })
        .filter({ hasText: 'Gone' })
        .waitFor();
      session.change({ type: 'forget', value: service.uid });
      session.change({ type: 'object', value: object('v1', 'Secret', 'blog', { owners: ['website/blog'] }) });
      await page.getByRole('link', { name: 'Level 2: Secret default/blog' }).waitFor();
      expect(await page.getByRole('link', { name: 'Service default/blog' }).count()).toBe(0);
    });

    test('have the age that they have in the cluster', async () => {
      const cluster = { ...scriptedState.cluster, ahead: 3600 };
      const { page } = await openPage(browser, { state: { ...scriptedState, cluster } });
      expect((await cells(page, 'Objects by owner', 'Website default/shop')).at(-1)).toBe('61m');
      expect(await page.getByRole('banner').innerText()).toContain('1 h ahead');
    });
  });

  describe('reconciles', () => {
    test('are listed with trigger, waiting time, duration, requests and result', async () => {
      const { page } = await openPage(browser, { at: 'reconciles' });
      expect(await cells(page, 'Reconciles, newest first', '09:59:00.000')).toEqual([
        '09:59:00.000',
        'Website default/shop',
        'Website default/shop updated: spec.image and 1 more',
        '2.1 ms',
        '19 ms',
        '2 reads, 2 writes, 1 conflict',
        '✕ ingresses.networking.k8s.io is forbidden (attempt 1, again after 2 s)',
      ]);
      expect((await cells(page, 'Reconciles, newest first', '09:59:36.000')).at(-1)).toBe(
        '✓ done, again after 1 min',
      );
    });

    test('are on a timeline with a lane per object', async () => {
      const { page } = await openPage(browser, { at: 'reconciles' });
      const lanes = page.locator('.timeline .lane:not(.axis)');
      expect(await lanes.locator('.name').allInnerTexts()).toEqual([
        'website default/blog',
        'website default/shop',
      ]);
      expect(await lanes.nth(1).locator('.ran.error').count()).toBe(3);
      const [first, last] = [lanes.nth(0).locator('.ran').first(), lanes.nth(0).locator('.ran').last()];
      const track = (await lanes.nth(0).locator('.track').boundingBox())!;
      const place = async (bar: typeof first) => ((await bar.boundingBox())!.x - track.x) / track.width;
      const places = [await place(first), await place(last)].toSorted((a, b) => a - b);
      expect(places[0]).toBeCloseTo(0, 1);
      expect(places[1]).toBeCloseTo((95 - 24) / 95, 1);
    });

    test('are filtered by object and result, and the address keeps the filters', async () => {
      const { page } = await openPage(browser, { at: 'reconciles' });
      const rows = page.getByRole('table').getByRole('rowheader');
      await page.getByLabel('Object').selectOption('Website default/blog');
      await expect.poll(() => rows.count()).toBe(4);
      await page.getByLabel('Result').selectOption('again later');
      await expect.poll(() => rows.count()).toBe(1);
      await page.reload();
      await expect.poll(() => rows.count()).toBe(1);
    });

    test('have a page with every reason and request, cache or live, and their log', async () => {
      const { page } = await openPage(browser, { at: 'reconciles' });
      await page.getByRole('link', { name: '09:59:00.000' }).click();
      expect(await page.getByRole('listitem').filter({ hasText: ' updated: ' }).allInnerTexts()).toEqual([
        'Website default/shop updated: spec.image',
        'Deployment default/shop updated: metadata.annotations.checked-at',
      ]);
      const table = 'Requests of the reconcile, in order';
      expect(await cells(page, table, 'websites/status')).toEqual([
        'update',
        'websites/status',
        'default/shop',
        'live',
        '✕ 409 Conflict',
        '4.2 ms',
      ]);
      expect(await cells(page, table, 'deployments')).toEqual(
        expect.arrayContaining(['get', 'deployments', 'cache']),
      );
      expect(await cells(page, 'Events and log lines, newest first', 'retrying')).toEqual([
        '09:59:00.000',
        '✕ error',
        expect.stringContaining('reconcile failed; retrying'),
        '09:59:00.000',
      ]);
    });

    test('appear when they start, and get their result', async () => {
      const { page, session } = await openPage(browser, { at: 'reconciles' });
      const [{ duration: _, result: __, ...running }] = scriptedState.reconciles as [any];
      session.change({ type: 'reconcile', value: { ...running, id: 'b1', startedAt: ago(1) } });
      const row = page.getByRole('row').filter({ hasText: '09:59:59.000' });
      await row.filter({ hasText: 'running' }).waitFor();
      session.change({
        type: 'reconcile',
        value: { ...running, id: 'b1', startedAt: ago(1), duration: 1.5, result: { outcome: 'done' } },
      });
      await row.filter({ hasText: '1.5 s' }).filter({ hasText: '✓ done' }).waitFor();
      expect(await page.getByRole('link', { name: 'Reconciles 10' }).count()).toBe(1);
    });
  });

  test('says what waits, why and until when', async () => {
    const { page } = await openPage(browser, { at: 'waiting' });
    expect((await cells(page, 'Queue of website', 'shop')).slice(0, 4)).toEqual([
      'Website default/shop',
      '✕ failed, is tried again',
      'in 8 s',
      'ingresses.networking.k8s.io is forbidden',
    ]);
    expect((await cells(page, 'Queue of website', 'blog')).slice(1, 3)).toEqual([
      '• asked for a later time',
      'in 36 s',
    ]);
  });

  test('counts requests from the cache, live ones and conflicts, and shows failures alone', async () => {
    const { page } = await openPage(browser, { at: 'requests' });
    const totals = 'Requests of the reconciles that are kept, by verb and resource';
    expect(await cells(page, totals, 'get websites')).toEqual(['get websites', '9', '', '', '']);
    expect(await cells(page, totals, 'update websites/status')).toEqual([
      'update websites/status',
      '',
      '1',
      '1',
      '',
    ]);
    expect(await page.getByText('3 in the last minute, at most 2 per second').count()).toBe(1);
    await page.getByLabel('Show').selectOption('conflicts');
    const table = page.getByRole('table', { name: 'Requests of the operator to the API server' });
    await expect.poll(() => table.getByRole('rowheader').count()).toBe(1);
    expect(await table.innerText()).toContain('409 Conflict');
  });

  test('copies a missing rule, and shows what is granted beside what is used', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page } = await openPage(browser, { at: 'rights', permissions });
    const rule = '@rbac groups=networking.k8s.io resources=ingresses verbs=create';
    expect(await cells(page, 'Rules that are missing', rule)).toEqual([rule, '3 times', 'Copy']);
    await button(page, `Copy ${rule}`).click();
    await page.getByText(`Copied: ${rule}`).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(rule);
    expect((await cells(page, 'Rules that are granted', 'verbs=delete')).at(-1)).toBe('• not used yet');
    expect((await cells(page, 'Rules that are granted', 'deployments verbs=patch')).at(-1)).toBe('✓ used');
    expect(await page.getByRole('link', { name: 'Rights 1 missing' }).count()).toBe(1);
  });

  test('joins events and logs by the reconcile, and filters them', async () => {
    const { page } = await openPage(browser, { at: 'log?reconcile=a8' });
    const rows = page.getByRole('table').getByRole('rowheader');
    await expect.poll(() => rows.count()).toBe(2);
    expect(await page.getByRole('table').getByText('IngressFailed').count()).toBe(1);
    await button(page, 'Show all').click();
    await expect.poll(() => rows.count()).toBe(11);
    await page.getByLabel('Object').selectOption('Website default/blog');
    await expect.poll(() => rows.count()).toBe(5);
    await page.getByLabel('Object').selectOption('all');
    await page.getByLabel('At least').selectOption('error');
    await expect.poll(() => rows.count()).toBe(3);
  });

  describe('controls', () => {
    const [namespace, name] = ['default', 'blog-5d8f7-0'];

    test.each([
      [
        'controls',
        {
          Restart: { action: 'restart' },
          Crash: { action: 'crash' },
          'Apply samples': { action: 'apply-samples' },
          'Pause all': { action: 'pause' },
          'Advance by 1 hour': { action: 'advance', seconds: 3600 },
          [`Fail pod ${name}`]: { action: 'fail-pod', namespace, name },
          [`Evict pod ${name}`]: { action: 'evict-pod', namespace, name },
          'Inject a conflict': { action: 'conflict' },
          'Take a snapshot': { action: 'snapshot' },
          'Return to it: before-upgrade': { action: 'restore', snapshot: 'before-upgrade' },
        },
      ],
      [
        `objects/pod%2F${name}`,
        {
          [`Fail pod ${name}`]: { action: 'fail-pod', namespace, name },
          [`Evict pod ${name}`]: { action: 'evict-pod', namespace, name },
        },
      ],
      [
        'waiting',
        { 'Pause website shop': { action: 'pause', controller: 'website', namespace, name: 'shop' } },
      ],
    ])('%s: each button does what it says', async (at, actions) => {
      const { page, session } = await openPage(browser, { at });
      for (const [label, action] of Object.entries(actions)) {
        await button(page, label).click();
        await page
          .getByRole('status')
          .filter({ hasText: `${label}: done` })
          .waitFor();
        expect(session.actions.at(-1)).toEqual(action);
      }
      expect(session.actions).toHaveLength(Object.keys(actions).length);
    });

    test('move time by any number of minutes', async () => {
      const { page, session } = await openPage(browser, { at: 'controls' });
      await page.getByRole('spinbutton', { name: 'Minutes' }).fill('2.5');
      await page.keyboard.press('Enter');
      await page.getByText('Advance by 2.5 minutes: done').waitFor();
      expect(session.actions).toEqual([{ action: 'advance', seconds: 150 }]);
    });

    test('step and resume what is paused', async () => {
      const { page, session } = await openPage(browser, { at: 'objects/website%2Fshop' });
      const { operator } = scriptedState;
      const value = { ...operator, pausedObjects: ['website default/shop'] };
      session.change({ type: 'operator', value });
      await button(page, 'Step website shop').click();
      await button(page, 'Resume website shop').click();
      session.change({ type: 'operator', value: { ...operator, isPaused: true } });
      await page.getByRole('banner').getByText('all reconciles wait for you').waitFor();
      await page.getByRole('banner').getByRole('button', { name: 'Step' }).click();
      await page.getByText('Step: done').waitFor();
      const shop = { controller: 'website', namespace: 'default', name: 'shop' };
      expect(session.actions).toEqual([
        { action: 'step', ...shop },
        { action: 'resume', ...shop },
        { action: 'step' },
      ]);
    });

    test('that fail say why', async () => {
      const { page, session } = await openPage(browser, { at: 'controls' });
      session.onAction = () => {
        throw new OtsError('NOT_RUNNING', 'The operator does not run', { hint: 'Restart it.' });
      };
      await button(page, 'Crash').click();
      await page.getByText('Crash: The operator does not run. Restart it.').waitFor();
      expect(session.actions).toEqual([{ action: 'crash' }]);
    });

    test('of the embedded cluster are not there for another one', async () => {
      const cluster = { ...scriptedState.cluster, isEmbedded: false };
      const { page } = await openPage(browser, { state: { ...scriptedState, cluster }, at: 'controls' });
      expect(await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
        'Operator',
        'kubectl',
      ]);
    });
  });

  describe('the session', () => {
    test('has its problems above all, and screen readers say them', async () => {
      const { page, session } = await openPage(browser, { state: emptyState });
      const problems = page.locator('[aria-live="assertive"][aria-label="Problems"]');
      expect(await problems.innerText()).toBe('');
      const location = 'src/a.controller.ts:3:7';
      session.change({
        type: 'problems',
        value: [{ source: 'types', message: 'Type error', hint: 'Fix it.', location }],
      });
      await problems.getByText(location).waitFor();
      expect(await problems.innerText()).toMatch(
        /types.*src\/a\.controller\.ts:3:7\s+Type error\s+Fix it\./s,
      );
      const [top, main] = [await problems.boundingBox(), await page.getByRole('main').boundingBox()];
      expect(top!.y).toBeLessThan(main!.y);
    });

    test('that ends is said, and the page stays', async () => {
      const { page, session } = await openPage(browser);
      await session.page.close();
      await page.getByRole('status').filter({ hasText: 'The session has ended.' }).waitFor();
      expect(await page.getByRole('link', { name: 'Website default/shop' }).count()).toBe(1);
      await button(page, 'What Website default/blog owns (2)').click();
    });

    test('that cannot be reached is tried again, and the page shows what changed meanwhile', async () => {
      const { page, session } = await openPage(browser, { state: emptyState });
      await page.route('**/api/events', (route) => route.fulfill({ status: 502 }));
      await page.reload();
      await page.getByRole('status').filter({ hasText: 'The session does not answer.' }).waitFor();
      session.change({ type: 'object', value: object('v1', 'Pod', 'new') });
      await page.unroute('**/api/events');
      await page.getByRole('link', { name: 'Pod default/new' }).waitFor();
      expect(await page.getByText('The session does not answer.').count()).toBe(0);
    });

    test('whose connection breaks is followed again', async () => {
      const { page } = await openPage(browser);
      const stream = `retry: 200\n\nevent: state\ndata: ${JSON.stringify(emptyState)}\n\n`;
      await page.route('**/api/events', (route) =>
        route.fulfill({ contentType: 'text/event-stream', body: stream }),
      );
      await page.reload();
      await page.getByText('No objects yet.').waitFor();
      await page.getByRole('status').filter({ hasText: 'The session does not answer.' }).waitFor();
      await page.unroute('**/api/events');
      await page.getByRole('link', { name: 'Website default/shop' }).waitFor();
      expect(await page.getByText('The session does not answer.').count()).toBe(0);
    });

    test('without objects offers the samples', async () => {
      const { page, session } = await openPage(browser, { state: emptyState });
      await button(page, 'Apply samples').click();
      await page.getByText('Apply samples: done').waitFor();
      expect(session.actions).toEqual([{ action: 'apply-samples' }]);
    });
  });

  describe('is for everyone:', () => {
    const isShown = (page: Page, place: string) =>
      page.locator(`nav a[aria-current=page][href="#/${place.split('/')[0]}"]`).waitFor();

    test.each([
      ['light', {}],
      ['dark', { runOnly: ['color-contrast'] }],
    ] as const)('axe finds nothing in any view (%s)', async (colorScheme, options) => {
      const { page } = await openPage(browser, { colorScheme });
      await page.evaluate(axe.source);
      const found: string[] = [];
      for (const place of everyPlace) {
        await page.evaluate(`location.hash = '#/${place}'`);
        await isShown(page, place);
        const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as {
          violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
        };
        for (const { id, nodes } of violations) {
          found.push(
            ...nodes.map(({ html, failureSummary }) => `${place}: ${id}: ${html}: ${failureSummary}`),
          );
        }
      }
      expect(found).toEqual([]);
    });

    test.each([320, 768, 3840])('every view fits into a window of %d px', async (width) => {
      const { page } = await openPage(browser, { viewport: { width, height: 800 } });
      for (const place of everyPlace) {
        await page.evaluate(`location.hash = '#/${place}'`);
        await isShown(page, place);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect([place, overflow]).toEqual([place, 0]);
      }
    });

    test('everything works by keyboard, and the focus is always visible', async () => {
      const { page, session } = await openPage(browser);
      const focused = () =>
        page.evaluate(`(() => {
          const { activeElement: element } = document;
          const name = element.getAttribute('aria-label') ?? element.innerText;
          return { name, outline: getComputedStyle(element).outlineStyle };
        })()`) as Promise<{ name: string; outline: string }>;
      const tabTo = async (name: string | RegExp) => {
        for (let count = 0; count < 100; count++) {
          await page.keyboard.press('Tab');
          const { name: found, outline } = await focused();
          expect([found, outline]).toEqual([found, 'solid']);
          if (found.replaceAll(/\s+/g, ' ').trim().match(name)) return;
        }
        throw new Error(`Tab does not reach ${name}`);
      };
      await tabTo(/^Skip to the content$/);
      await page.keyboard.press('Enter');
      await tabTo(/^What Website default\/blog owns/);
      await page.keyboard.press('Space');
      await tabTo(/^Level 1: Website default\/shop$/);
      await page.keyboard.press('Enter');
      await expect
        .poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')"))
        .toBe('Object');
      await tabTo(/^Pause website shop$/);
      await page.keyboard.press('Enter');
      await page.getByText('Pause website shop: done').waitFor();
      expect(session.actions).toEqual([
        { action: 'pause', controller: 'website', namespace: 'default', name: 'shop' },
      ]);
      await page.keyboard.press('Control+Home');
      await page.reload();
      await page.getByRole('navigation').waitFor();
      await tabTo(/^Rights/);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Rights' }).waitFor();
      await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('MAIN');
    });

    test('light and dark follow the system', async () => {
      const background = async (colorScheme: 'light' | 'dark') => {
        const { page } = await openPage(browser, { colorScheme });
        return page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
      };
      expect([await background('light'), await background('dark')]).toEqual([
        'rgb(255, 255, 255)',
        'rgb(20, 23, 26)',
      ]);
    });

    test('nothing moves for those who asked for it', async () => {
      const { page } = await openPage(browser, { reducedMotion: 'reduce' });
      const moving = `[...document.querySelectorAll('*')].filter((element) =>
        getComputedStyle(element).transitionDuration !== '0s' || getComputedStyle(element).animationName !== 'none').length`;
      expect(await page.evaluate(moving)).toBe(0);
    });
  });

  test('has every file that it names, of its type', async () => {
    const { page, session } = await openPage(browser, { state: emptyState });
    const html = await (await page.request.get(session.page.url)).text();
    const files = Array.from(html.matchAll(/(?:href|src)="([^"]+)"/g), ([, file]) => file!);
    const types = await Promise.all(
      files.map(async (file) => (await page.request.get(session.page.url + file)).headers()['content-type']),
    );
    expect(types).toEqual(['image/svg+xml', 'text/css; charset=utf-8', 'text/javascript; charset=utf-8']);
  });

  test('is loaded from its own address only', async () => {
    const { page, session } = await openPage(browser, { state: emptyState });
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.reload();
    await page.getByRole('navigation').waitFor();
    expect(requested.filter((url) => !url.startsWith(session.page.url))).toEqual([]);
    const paths = requested.map((url) => url.slice(session.page.url.length).replace(/#.*/, ''));
    // The browser may ask for the icon, when it wants to.
    expect(paths.filter((path) => path !== 'icon.svg')).toEqual(['', 'page.css', 'page.js', 'api/events']);
  });

  test('is smooth with 1,000 objects and 500 reconciles', async () => {
    const { page, session } = await openPage(browser, { state: largeState() });
    await page.getByRole('link', { name: 'Website default/site-0' }).waitFor();
    const protocol = await page.context().newCDPSession(page);
    // The time of the processor, not of the clock: other programs of a busy machine do not count.
    await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
    const spent = async () => {
      const { metrics } = await protocol.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
    };
    const ms: Record<string, number> = {};
    const measure = async (name: string, act: () => unknown, rows: number, text: string) => {
      const before = await spent();
      await act();
      await page.evaluate(`new Promise((resolve) => {
        const check = () => {
          const rows = document.querySelectorAll('tbody tr');
          const isDrawn = rows.length === ${rows} && rows[0].parentNode.textContent.includes('${text}');
          requestAnimationFrame(isDrawn ? resolve : check);
        };
        check();
      })`);
      ms[name] = Math.round((await spent()) - before);
    };
    const show = (view: string) => () => page.evaluate(`location.hash = '#/${view}'`);
    await measure('reconciles', show('reconciles'), 200, 'Website default/blog created');
    await measure('objects', show('objects'), 200, 'site-0');
    await measure('all objects', () => button(page, 'Show all 1000 rows').click(), 1000, 'site-199');
    const shop = session.state.objects['website/199']!;
    const value = { ...shop, columns: [{ name: 'URL', value: 'changed' }] };
    await measure('a change', () => session.change({ type: 'object', value }), 1000, 'changed');
    console.log(`Milliseconds of the main thread: ${JSON.stringify(ms)}`);
    expect(ms.reconciles).toBeLessThan(500);
    expect(ms.objects).toBeLessThan(500);
    expect(ms['all objects']).toBeLessThan(1500);
    expect(ms['a change']).toBeLessThan(500);
  });
});
