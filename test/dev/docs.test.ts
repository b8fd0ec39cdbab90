import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { codeBlocks } from '../../packages/runtime/test/docs/code-blocks.ts';
import { limits } from '../../src/dev/model/apply-change.ts';
import { parseAction } from '../../src/dev/server/parse-action.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { emptyState } from './empty-state.ts';
import { ScriptedSession } from './scripted-session.ts';
import { scriptedState } from './scripted-state.ts';

// docs/dev.md describes what the server accepts and sends.

const root = new URL('../../', import.meta.url);
const markdown = readFileSync(new URL('docs/dev.md', root), 'utf8');

/** The rows of the table below a heading: their cells. */
function rowsOf(heading: string): string[][] {
  const [, after = ''] = markdown.split(`\n### ${heading}\n`);
  const [section = ''] = after.split(/\n##+ /);
  return Array.from(section.matchAll(/^\| (`.*) \|$/gm), ([, row]) => row!.split(' | '));
}

const namesIn = (cell: string) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name!);

test('every part of the state is described, and how much of it is kept', () => {
  const rows = rowsOf('State');
  expect(rows.map(([name]) => name)).toEqual(Object.keys(emptyState).map((name) => `\`${name}\``));
  for (const [part, limit] of Object.entries(limits)) {
    expect(rows.find(([name]) => name === `\`${part}\``)![1]).toContain(`the last ${limit}`);
  }
});

test('the fields of an object, a reconcile and a queue are described', () => {
  const describedIn = (part: string) =>
    namesIn(rowsOf('State').find(([name]) => name === `\`${part}\``)![1]!);
  const { reconciles, queues, rights } = scriptedState;
  const object = { ...scriptedState.objects['website/shop']!, deletedAt: '' };
  expect(describedIn('objects')).toEqual(
    expect.arrayContaining(Object.keys(object).filter((name) => name !== 'uid')),
  );
  expect(describedIn('reconciles')).toEqual(expect.arrayContaining(Object.keys(reconciles[0]!)));
  expect(describedIn('queues')).toEqual(expect.arrayContaining(Object.keys(queues[0]!)));
  expect(describedIn('rights')).toEqual(expect.arrayContaining(Object.keys(rights.granted[0]!)));
});

test('every event is described', () => {
  const source = readFileSync(new URL('src/dev/model/dev-change.ts', root), 'utf8');
  const types = Array.from(source.matchAll(/readonly type: '(\w+)'/g), ([, type]) => type!);
  expect(
    rowsOf('Events')
      .flatMap(([names]) => namesIn(names!))
      .toSorted(),
  ).toEqual([...types, 'end'].toSorted());
});

describe('actions', () => {
  const bodies = rowsOf('Actions').flatMap(([body]) => namesIn(body!));

  test.each([...bodies, ...(/`(\{"action": "pause", "controller".*?\})`/.exec(markdown)?.slice(1) ?? [])])(
    '%s is accepted',
    (body) => {
      expect(parseAction(body)).toEqual(JSON.parse(body));
    },
  );

  test('are all described', () => {
    const known = (() => {
      try {
        return parseAction('{}') as never;
      } catch (error) {
        return (error as Error).message.replace('action: is not one of ', '').split(', ');
      }
    })();
    expect(bodies.map((body) => String(JSON.parse(body).action)).toSorted()).toEqual(known.toSorted());
  });
});

test('the script prints reconciles that fail, and problems, until the session ends', async () => {
  const file = join(temporaryDirectory(), 'follow.mjs');
  writeFileSync(file, codeBlocks(markdown).find(({ title }) => title === 'follow.mjs')!.code);
  await using session = await ScriptedSession.start(emptyState);
  const script = execa('node', [file, session.page.url]);
  await expect.poll(() => session.reads).toBe(1);
  for (const value of scriptedState.reconciles.slice(0, 6)) session.change({ type: 'reconcile', value });
  const location = 'src/api/v1/website.ts:31:4';
  const problem = {
    source: 'manifests',
    message: 'JSON has no Date',
    hint: 'Write Time.',
    location,
  } as const;
  session.change({ type: 'problems', value: [problem] });
  await session.page.close();
  expect((await script).stdout.split('\n')).toEqual([
    'website shop: ingresses.networking.k8s.io is forbidden (Website default/shop updated: spec.image; Deployment default/shop updated: metadata.annotations.checked-at)',
    'src/api/v1/website.ts:31:4: JSON has no Date. Write Time.',
  ]);
});
