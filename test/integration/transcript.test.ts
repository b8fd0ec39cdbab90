import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { otsBinary } from '../support/ots-binary.ts';
import { shellBlocks } from './transcript/shell-blocks.ts';
import { Terminal } from './transcript/terminal.ts';

// A newcomer types what the pages say, word for word, into the terminals that they name.

const { failed: hasNoKubectl } = await execa('kubectl', ['version', '--client'], { reject: false });
if (hasNoKubectl) console.log('SKIPPED: the transcripts of the READMEs; install kubectl to run them');

/** What the terminal shows once a server runs in it. */
const servingLine = /^Kubeconfig: .*kubeconfig$/m;
const readyLine = /the manager is ready/;
const awaitReady = 'kubectl wait --for=condition=Ready myapps --all';

/** A folder, and terminals that are open in it. */
interface Desk {
  readonly project: string;
  readonly open: (env?: NodeJS.ProcessEnv) => Terminal;
}

/** An empty folder, with `ots` on the path as `npm link` puts it there. */
function emptyDesk(): Desk {
  const directory = temporaryDirectory();
  const bin = join(directory, 'bin');
  const project = join(directory, 'project');
  for (const path of [bin, project]) mkdirSync(path);
  symlinkSync(otsBinary, join(bin, 'ots'));
  const { KUBECONFIG: _, ...inherited } = process.env;
  const path = `${bin}:${inherited['PATH']}`;
  const open = (env: NodeJS.ProcessEnv = {}): Terminal => {
    // Servers of earlier tests may have had the same port, and kubectl remembers what they served.
    const terminal = new Terminal(project, {
      ...inherited,
      ...env,
      PATH: path,
      KUBECACHEDIR: join(directory, 'kubectl'),
    });
    onTestFinished(() => terminal.close());
    return terminal;
  };
  return { project, open };
}

describe.skipIf(hasNoKubectl)('a newcomer', () => {
  test('follows the README of ots from an empty folder to a reconciled object', async () => {
    const { open } = emptyDesk();
    const blocks = shellBlocks(readFileSync('README.md', 'utf8'), 'Your first operator');
    const [scaffold = '', serve = '', run = '', apply = '', deploy, ...rest] = blocks;
    // These need Docker and a cluster.
    expect(deploy).toContain('npm run docker-build');
    expect(rest).toEqual([]);

    const [first, second, third] = [open(), open(), open()];
    expect(await first.type(scaffold)).toMatch(/Tests .*passed/);
    await first.serve(serve, servingLine);
    await second.serve(run, readyLine);
    expect(second.output).toContain('jobwatchers.batch.example.com created');
    const shown = await third.type(apply);
    expect(shown).toContain('jobwatcher.batch.example.com/jobwatcher-v1-sample serverside-applied');
    expect(shown).toContain('jobwatcher.batch.example.com/jobwatcher-v1-sample condition met');
    for (const { output } of [first, second, third]) expect(output).not.toMatch(/"level":"(warn|error)"/);
  });

  test('follows the README of a new project, on a cluster and without one', async () => {
    const { project, open } = emptyDesk();
    const cluster = open();
    await cluster.type('ots init --domain example.com --project-name jobwatcher');
    const blocks = shellBlocks(readFileSync(join(project, 'README.md'), 'utf8'), 'The first ten minutes');
    const [install = '', create = '', manifests = '', version = '', ...onCluster] = blocks;
    const [run = '', apply = '', serve = '', others = '', ...rest] = onCluster;
    expect(rest).toEqual([]);

    const first = open();
    expect(await first.type(install)).toMatch(/Tests .*passed/);
    expect(await first.type(create)).toMatch(/Tests .*passed/);
    await first.type(manifests);
    await first.type(version);

    // What stands for the cluster of the current context.
    await cluster.serve('ots apiserver --kubeconfig cluster.kubeconfig', servingLine);
    const env = { KUBECONFIG: join(project, 'cluster.kubeconfig') };
    const operator = open(env);
    await operator.serve(run, readyLine);
    const shell = open(env);
    const applied = 'myapp.apps.example.com/myapp-v1-sample serverside-applied';
    expect(await shell.type(apply)).toContain(applied);
    await shell.type(awaitReady);
    await operator.close();
    await cluster.close();

    const server = open();
    await server.serve(serve, servingLine);
    const [start = '', kubectl = '', ...more] = others.split('\n');
    expect(more).toEqual([]);
    const local = open();
    await local.serve(start, readyLine);
    const last = open();
    expect(await last.type(kubectl)).toContain(applied);
    await last.type(`export KUBECONFIG=kubeconfig\n${awaitReady}`);
    for (const { output } of [operator, local]) expect(output).not.toMatch(/"level":"(warn|error)"/);
    await server.close();
    expect(existsSync(join(project, 'kubeconfig'))).toBe(false);
  });
});
