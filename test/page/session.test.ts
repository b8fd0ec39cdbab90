import { execa } from 'execa';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DevProject } from '../support/dev-project.ts';
import { addField, breakSyntax, pasteRule, reconciler, removeRule } from '../support/memcached-edits.ts';
import { otsBinary } from '../support/ots-binary.ts';
import { Pty, hasPty } from '../support/pty.ts';
import { findChromium, launchChromium } from './browser.ts';
import { newWindow } from './open-page.ts';

// One session of `ots dev`, as its author sees it: the terminal, and the page in Chromium.

const executable = findChromium();
if (!hasPty) console.log('Skipped: script of util-linux is not installed');
let browser: Browser;

beforeAll(async () => {
  if (executable !== undefined) browser = await launchChromium(executable);
});

afterAll(() => browser?.close());

const sample = 'Memcached default/memcached-sample';
/** What the Deployment of the sample causes. */
const deploymentUpdated = 'Deployment default/memcached-sample updated: status';

test.skipIf(executable === undefined || !hasPty)(
  'the terminal and the page show what an author does, and the end leaves nothing behind',
  { timeout: 300_000 },
  async () => {
    const project = new DevProject('memcached');
    // What the shell prints afterwards tells how ots dev left the terminal.
    const command = `'${process.execPath}' '${otsBinary}' dev; echo "exit $?"; stty -a`;
    const terminal = new Pty('/bin/sh', ['-c', command], { rows: 40, cwd: project.directory });
    await shows(terminal, '● running', `${sample} `, 'Available=True', 'Ready 3/3');
    const { page } = await newWindow(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(/page (http:\S+)/.exec(await textOf(terminal))![1]!);
    await row(page, sample).filter({ hasText: 'Available' }).first().waitFor();
    const banner = page.getByRole('banner');
    const problems = page.getByRole('region', { name: 'Problems' });

    // A new field: the definition changes, and the operator starts again.
    project.edit(addField);
    await shows(terminal, '● running  2 starts', 'Team platform');
    await banner.filter({ hasText: 'running' }).filter({ hasText: 'start 2,' }).waitFor();
    await row(page, sample).filter({ hasText: 'Team platform' }).first().waitFor();

    // Code that is broken: file and line, and the operator goes on.
    project.edit(breakSyntax);
    const broken = lineOf(project.read(reconciler), breakSyntax.replacements[0]![1]);
    await shows(terminal, '● broken  the last good version still runs', `✗ ${reconciler}:${broken}:`);
    await problems.getByText(`${reconciler}:${broken}:`).first().waitFor();
    await banner.filter({ hasText: 'broken' }).waitFor();
    project.undo(breakSyntax);
    await shows(terminal, '● running  3 starts');
    await lacks(terminal, 'PROBLEMS');
    await problems.waitFor({ state: 'hidden' });
    await banner.filter({ hasText: 'running' }).filter({ hasText: 'start 3,' }).waitFor();

    // A rule that is missing: both have it in one piece, and what the page copies is what the sources lack.
    project.edit(removeRule);
    const missing = '@rbac groups=core resources=pods verbs=get;list;watch';
    await shows(terminal, '4 starts', `\n  ${missing}\n`);
    await problems.getByText(missing).waitFor();
    await openView(page, 'Rights');
    await page.getByRole('button', { name: `Copy ${missing}` }).click();
    await page.getByText(`Copied: ${missing}`).waitFor();
    project.edit(pasteRule(await page.evaluate<string>('navigator.clipboard.readText()')));
    await shows(terminal, '● running  5 starts');
    await lacks(terminal, 'PROBLEMS');
    await problems.waitFor({ state: 'hidden' });
    await page.getByText('The API server denied nothing.').waitFor();

    // A pod that fails, because a person wants it to: the pod, and the reconcile that follows.
    await openView(page, 'Controls');
    const fail = page.getByRole('button', { name: /^Fail pod / });
    const pod = (await fail.getAttribute('aria-label'))!.replace('Fail pod ', '');
    await fail.click();
    await shows(
      terminal,
      `! BackOff  Pod default/${pod}: Back-off`,
      `! WaitingForPods  ${sample}: 2 of 3 pods`,
    );
    await terminal.waitFor((rows) =>
      between(rows, 'RECONCILES', '← Memcached').includes(`← ${deploymentUpdated}`),
    );
    await openView(page, 'Events and logs');
    await row(page, `Pod default/${pod}`).filter({ hasText: 'BackOff' }).first().waitFor();
    await row(page, sample).filter({ hasText: '2 of 3 pods are available' }).first().waitFor();
    await openView(page, 'Reconciles');
    await page.getByRole('row').nth(1).waitFor();
    const newest = await page.getByRole('row').allInnerTexts();
    const start = newest.findIndex((text) => text.includes('existed at the start'));
    expect(newest.slice(0, start).join('\n')).toContain(deploymentUpdated);

    // What is paused stays paused when the operator starts again.
    terminal.press('p');
    await shows(terminal, '❯ 1 all reconciles');
    terminal.press('1');
    await shows(terminal, 'paused: all reconciles');
    await banner.filter({ hasText: 'all reconciles wait for you' }).waitFor();
    terminal.press('r');
    await shows(terminal, '● running  paused: all reconciles  6 starts', 'RECONCILES  1 held');
    await openView(page, 'Waiting');
    await row(page, sample).filter({ hasText: 'waits for you' }).first().waitFor();
    terminal.press('p1');
    await lacks(terminal, 'paused');
    await page.getByRole('main').getByText('Nothing waits.').waitFor();

    const processes = await descendantsOf(await terminal.pid());
    expect(processes.length).toBeGreaterThanOrEqual(3);
    terminal.press('q');
    expect(await terminal.exitCode).toBe(0);
    const rows = await terminal.screen.allRows();
    expect(rows).toContain('exit 0');
    expect(
      rows
        .slice(rows.indexOf('exit 0'))
        .join(' ')
        .split(/[\s;]+/),
    ).toEqual(expect.arrayContaining(['icanon', 'isig', 'echo', 'opost']));
    expect([await terminal.screen.isAlternate(), terminal.screen.isCursorHidden]).toEqual([false, false]);
    await expect.poll(() => processes.filter((id) => isAlive(id))).toEqual([]);
    await page.getByText('The session has ended.').waitFor();
  },
);

async function textOf(terminal: Pty): Promise<string> {
  return `${(await terminal.screen.rows()).join('\n')}\n`;
}

/** Waits until the terminal shows all of some texts at once. Blanks in a row count as two at most. */
async function shows(terminal: Pty, ...texts: readonly string[]): Promise<void> {
  await terminal.waitFor((rows) => {
    const text = `${rows.join('\n')}\n`;
    const narrow = text.replaceAll(/(?<=\S) {2,}/g, '  ');
    return texts.every((each) => narrow.includes(each));
  });
}

async function lacks(terminal: Pty, text: string): Promise<void> {
  await terminal.waitFor((rows) => rows.length > 0 && !rows.join('\n').includes(text));
}

/** The text of the rows from one that has a text up to the next one that has another. */
function between(rows: readonly string[], from: string, to: string): string {
  const after = rows.slice(rows.findIndex((each) => each.includes(from)));
  return after
    .slice(
      0,
      after.findIndex((each) => each.includes(to)),
    )
    .join('\n');
}

function lineOf(text: string, part: string): number {
  return text.slice(0, text.indexOf(part)).split('\n').length;
}

function row(page: Page, text: string) {
  return page.getByRole('main').getByRole('row').filter({ hasText: text });
}

async function openView(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name }).click();
  await page.getByRole('main').getByRole('heading', { name, level: 1 }).waitFor();
}

/** The processes that a process started, and those that they started. */
async function descendantsOf(id: number): Promise<number[]> {
  const { stdout } = await execa('ps', ['-eo', 'pid=,ppid=']);
  const pairs = stdout.split('\n').map((line) => line.trim().split(/ +/).map(Number));
  const childrenOf = (parent: number): number[] =>
    pairs.filter(([, each]) => each === parent).flatMap(([child = 0]) => [child, ...childrenOf(child)]);
  return childrenOf(id);
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}
