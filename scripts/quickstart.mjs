// From an empty folder to the operator of examples/job-watcher, which deletes a Job, on a machine that has only Node: npm run quickstart
// Keeps the project with --keep.
import { appendFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { execa } from 'execa';
import { copy, remove } from 'fs-extra/esm';

const otsBinary = fileURLToPath(new URL('../bin/ots.cjs', import.meta.url));
const keep = process.argv.includes('--keep');
const parent = await mkdtemp(join(tmpdir(), 'ots-quickstart-'));
const project = join(parent, 'job-watcher');
const example = fileURLToPath(new URL('../examples/job-watcher', import.meta.url));
const samples = join(project, 'config/samples');

const job = `apiVersion: batch/v1
kind: Job
metadata:
  name: pi-1
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: pi
          image: perl:5.34
`;

function say(text) {
  console.log(styleText('bold', `\n> ${text}`));
}

/** Runs a command of the project where the user can see it. @returns what it printed */
async function run(command, ...args) {
  say([command, ...args].join(' '));
  const [file, ...rest] = command === 'ots' ? [process.execPath, otsBinary, ...args] : [command, ...args];
  const output = ['pipe', 'inherit'];
  const { stdout } = await execa(file, rest, {
    cwd: project,
    stdin: 'ignore',
    stdout: output,
    stderr: 'inherit',
  });
  return stdout;
}

/** Makes the project with the commands of the example, and adds what its author wrote. */
async function makeProject() {
  const commands = (await readFile(join(example, 'commands.txt'), 'utf8')).split('\n');
  await mkdir(project);
  for (const command of commands.filter((line) => line.startsWith('ots '))) {
    const [, ...args] = command.split(' ');
    await run('ots', ...args, ...(args[0] === 'init' ? ['--skip-install'] : []));
  }
  say('add what the author of examples/job-watcher wrote');
  for (const folder of ['src', 'test', 'config']) await copy(join(example, folder), join(project, folder));
}

/** Adds a Job to the samples, which the JobWatcher deletes as soon as it is complete. */
async function addJob() {
  say('add a Job to config/samples, and let the JobWatcher delete it as soon as it is complete');
  await writeFile(join(samples, 'job.yaml'), job);
  await appendFile(join(samples, 'kustomization.yaml'), '  - job.yaml\n');
  const watcher = join(samples, 'batch_v1_jobwatcher.yaml');
  const text = await readFile(watcher, 'utf8');
  await writeFile(watcher, text.replace(/completedTTL: \d+/, 'completedTTL: 0'));
}

try {
  await makeProject();
  await addJob();
  await run('npm', 'install', '--no-audit', '--no-fund');
  const installed = performance.now();
  const shown = await run('npx', 'ots', 'dev', '--once');
  const seconds = ((performance.now() - installed) / 1000).toFixed(1);
  if (!shown.includes('Job default/pi-1 is gone')) throw new Error('The operator did not delete the Job');
  say(`The operator deleted the Job. That took ${seconds} s after npm install.`);
  if (keep) say(`The project is in ${project}. Run npx ots dev there.`);
} catch (error) {
  console.error(`\nThe quickstart failed: ${error.shortMessage ?? error.message}`);
  console.error(
    keep ? `The project is in ${project}.` : 'Keep the project with: npm run quickstart -- --keep',
  );
  process.exitCode = 1;
} finally {
  if (!keep) await remove(parent);
}
