import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { projectFilesOf } from '../support/replayed-example.ts';
import { otsBinary } from '../support/ots-binary.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { Terminal } from './transcript/terminal.ts';
import { type TutorialStep, outputPattern, tutorialSteps } from './transcript/tutorial-steps.ts';

// A newcomer follows a tutorial from the top to the end: types each command, writes each file, and compares what the page shows.

const { failed: hasNoKubectl } = await execa('kubectl', ['version', '--client'], { reject: false });
if (hasNoKubectl) console.log('SKIPPED: the tutorials; install kubectl to run them');

/** The desk of a reader: an empty folder, and terminals by name. */
class Desk {
  readonly project: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #terminals = new Map<string, Terminal>();

  constructor() {
    const directory = temporaryDirectory();
    const bin = join(directory, 'bin');
    this.project = join(directory, 'project');
    for (const path of [bin, this.project]) mkdirSync(path);
    symlinkSync(otsBinary, join(bin, 'ots'));
    const { KUBECONFIG: _, ...inherited } = process.env;
    // Servers of earlier tests may have had the same port, and kubectl remembers what they served.
    const kubectl = join(directory, 'kubectl');
    this.#env = { ...inherited, PATH: `${bin}:${inherited['PATH']}`, KUBECACHEDIR: kubectl };
  }

  async follow(step: TutorialStep): Promise<void> {
    if (step.kind === 'file') {
      const path = join(this.project, step.path);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, step.text);
    } else if (step.kind === 'close') {
      await this.#terminal(step.terminal).close();
      this.#terminals.delete(step.terminal);
    } else if (step.kind === 'serve') {
      await this.#terminal(step.terminal).serve(step.text, outputPattern(step.until));
    } else {
      const shown = await this.#terminal(step.terminal).type(step.text);
      if (!outputPattern(step.shows).test(shown))
        throw new Error(`${step.text}\nshows\n${shown}\ninstead of\n${step.shows}`);
    }
  }

  #terminal(name: string): Terminal {
    const known = this.#terminals.get(name);
    if (known) return known;
    const terminal = new Terminal(this.project, this.#env);
    onTestFinished(() => terminal.close());
    this.#terminals.set(name, terminal);
    return terminal;
  }
}

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
/** What a project has on the disk of its author, and an example does not. */
const isLeftOut = (path: string): boolean =>
  ['README.md', 'package-lock.json', 'kubeconfig'].includes(path) || isOfRelease.test(path);
/** What changes with every release. */
const isOfRelease = /^(?:bundle|catalog|releases)(?:\/|\.Dockerfile$)|^catalog-template\.yaml$/;

/** The tutorials by the example that they lead to, each in one or more pages or sections of pages. */
const tutorials = {
  memcached: ['tutorial/memcached.md', 'olm.md#Tutorial: a bundle of the Memcached operator'],
  'job-watcher': ['tutorial/job-watcher.md'],
};

/** @param part a page, perhaps with the heading of a section */
function textOf(part: string): string {
  const [page = '', heading] = part.split('#');
  const text = readFileSync(join(docs, page), 'utf8');
  if (heading === undefined) return text;
  const section = text.split(/^(?=## )/m).find((each) => each.startsWith(`## ${heading}\n`));
  if (section === undefined) throw new Error(`${page} has no section "${heading}"`);
  return section;
}

describe.skipIf(hasNoKubectl)('a newcomer follows the tutorial', () => {
  test.each(Object.entries(tutorials))('%s, and has the example in the end', async (name, parts) => {
    const desk = new Desk();
    for (const part of parts) for (const step of tutorialSteps(textOf(part))) await desk.follow(step);
    const filesIn = (directory: string) =>
      Object.entries(projectFilesOf({ directory })).filter(([path]) => !isLeftOut(path));
    expect(Object.fromEntries(filesIn(desk.project))).toEqual(
      Object.fromEntries(filesIn(join(examples, name))),
    );
  });
});
