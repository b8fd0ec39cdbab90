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

const pages = fileURLToPath(new URL('../../docs/tutorial/', import.meta.url));
const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
/** What a project has on the disk of its author, and an example does not. */
const isLeftOut = (path: string): boolean => ['README.md', 'package-lock.json', 'kubeconfig'].includes(path);

describe.skipIf(hasNoKubectl)('a newcomer follows the tutorial', () => {
  test.each(['memcached', 'job-watcher'])('%s, and has the example in the end', async (name) => {
    const desk = new Desk();
    for (const step of tutorialSteps(readFileSync(join(pages, `${name}.md`), 'utf8')))
      await desk.follow(step);
    const made = Object.entries(projectFilesOf({ directory: desk.project })).filter(
      ([path]) => !isLeftOut(path),
    );
    expect(Object.fromEntries(made)).toEqual(projectFilesOf({ directory: join(examples, name) }));
  });
});
