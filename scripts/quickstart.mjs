// From an empty folder to an operator that reconciles, on a machine that has only Node: npm run quickstart
// Keeps the project with --keep.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { execa } from 'execa';
import { TestEnvironment } from 'ots-apiserver';
import { Client, defineKind, waitFor } from 'ots-runtime';
import { parse } from 'yaml';

const OTS = fileURLToPath(new URL('../bin/ots.js', import.meta.url));
const keep = process.argv.includes('--keep');
const parent = await mkdtemp(join(tmpdir(), 'ots-quickstart-'));
const project = join(parent, 'guestbook');
const gvk = ['--group', 'webapp', '--version', 'v1', '--kind', 'Guestbook'];

function say(text) {
  console.log(styleText('bold', `\n> ${text}`));
}

/** Runs a command in the project where the user can see it. */
async function run(cwd, command, ...args) {
  say(
    [command === process.execPath ? 'node' : command, ...args]
      .join(' ')
      .replace(OTS, 'ots')
      .replace('node ots', 'ots'),
  );
  await execa(command, args, { cwd, stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' });
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the operator as it would run in a cluster, and gives back a way to stop it. */
async function startOperator(kubeconfig) {
  const health = await freePort();
  const flags = ['--kubeconfig', kubeconfig, '--health-probe-bind-address', `127.0.0.1:${health}`];
  say(`node dist/main.js ${flags.join(' ')}`);
  const operator = execa(process.execPath, ['dist/main.js', ...flags], {
    cwd: project,
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    reject: false,
  });
  const ready = waitFor(
    () =>
      fetch(`http://127.0.0.1:${health}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      ),
    {
      timeout: '60s',
      message: 'the operator to be ready',
    },
  );
  const early = operator.then(({ exitCode }) =>
    Promise.reject(new Error(`The operator ended with ${exitCode}`)),
  );
  await Promise.race([ready, early]);
  early.catch(() => {});
  // A process is a promise of its end: wrapped, it is not waited for here.
  return { operator };
}

async function applySample(client) {
  const file = join(project, 'config/samples/webapp_v1_guestbook.yaml');
  const sample = parse(await readFile(file, 'utf8'));
  const { apiVersion, kind } = sample;
  const Guestbook = defineKind({ apiVersion, kind, plural: 'guestbooks', scope: 'Namespaced' });
  const key = { namespace: 'default', name: sample.metadata.name };
  say(`apply ${file}`);
  await client.create(Guestbook, { ...sample, metadata: { ...sample.metadata, ...key } });
  return waitFor(
    async () => {
      const found = await client.get(Guestbook, key);
      return (
        found?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') && found
      );
    },
    { timeout: '30s', message: 'the Guestbook to be reconciled' },
  );
}

try {
  await run(parent, process.execPath, OTS, 'init', 'guestbook', '--domain', 'example.com');
  await run(project, process.execPath, OTS, 'create', 'api', ...gvk);
  await run(project, 'npm', 'test');
  await run(project, 'npm', 'run', 'build');

  say('start the embedded API server');
  const environment = await TestEnvironment.start({ crds: [join(project, 'config/crd/bases')] });
  console.log(`It listens on ${environment.config.server}`);
  const kubeconfig = join(parent, 'kubeconfig');
  await writeFile(kubeconfig, environment.kubeconfig, { mode: 0o600 });
  const client = new Client(environment.config);
  const { operator } = await startOperator(kubeconfig);

  const reconciled = await applySample(client);
  say('the object, reconciled');
  console.log(JSON.stringify(reconciled, undefined, 2));

  operator.kill('SIGTERM');
  const { exitCode } = await operator;
  await client.close();
  await environment.stop();
  if (exitCode !== 0) throw new Error(`The operator stopped with exit code ${exitCode}`);
  say(`The operator reconciled its object and stopped cleanly.${keep ? ` It is in ${project}` : ''}`);
} finally {
  if (!keep) await rm(parent, { recursive: true, force: true });
}
