// From an empty folder to an operator that reconciles, on a machine that has only Node: npm run quickstart
// Keeps the project with --keep.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { execa } from 'execa';
import { remove } from 'fs-extra/esm';
import { Client, defineKind, loadConfig, waitFor } from 'ots-runtime';
import { parse, stringify } from 'yaml';

const otsBinary = fileURLToPath(new URL('../bin/ots.cjs', import.meta.url));
const keep = process.argv.includes('--keep');
const parent = await mkdtemp(join(tmpdir(), 'ots-quickstart-'));
const project = join(parent, 'guestbook');
const gvk = ['--group', 'webapp', '--version', 'v1', '--kind', 'Guestbook'];

function say(text) {
  console.log(styleText('bold', `\n> ${text}`));
}

/** Runs a command where the user can see it. */
async function run(where, command, ...args) {
  say(
    [command === process.execPath ? 'node' : command, ...args]
      .join(' ')
      .replace(otsBinary, 'ots')
      .replace('node ots', 'ots'),
  );
  await execa(command, args, { ...where, stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' });
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

/** Starts `ots apiserver`, and gives back the process and where its kubeconfig is. */
async function startApiServer() {
  const kubeconfig = join(parent, 'kubeconfig');
  say(`ots apiserver --kubeconfig ${kubeconfig}`);
  const server = execa(process.execPath, [otsBinary, 'apiserver', '--kubeconfig', kubeconfig], {
    cwd: project,
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    reject: false,
  });
  await waitFor(() => existsSync(kubeconfig), { timeout: '60s', message: 'the API server' });
  // A process is a promise of its end: wrapped, the caller does not wait for it.
  return { server, kubeconfig };
}

/** Installs the CRDs and the sample as the project's README says; without kubectl, with the requests that kubectl sends. */
async function installAndApply(client, kubeconfig) {
  const { failed } = await execa('kubectl', ['version', '--client'], { stdin: 'ignore', reject: false });
  if (!failed) {
    const env = { KUBECONFIG: kubeconfig };
    await run({ cwd: project, env }, 'npm', 'run', 'install:crds');
    await run({ cwd: project, env }, 'kubectl', 'apply', '--server-side', '-k', 'config/samples');
    return;
  }
  say('kubectl is not installed: apply config/crd/bases and config/samples without it');
  await applyFiles(client, 'config/crd/bases');
  await applyFiles(client, 'config/samples');
}

/** Sends each object of a directory as a server-side apply, as `kubectl apply --server-side` does. */
async function applyFiles(client, directory) {
  const files = (await readdir(join(project, directory))).filter((file) => file !== 'kustomization.yaml');
  for (const file of files) {
    const object = parse(await readFile(join(project, directory, file), 'utf8'));
    const { apiVersion, kind } = object;
    const applied = await waitFor(
      async () => {
        const known = await client.mapper.kindFor(apiVersion, kind);
        const namespace = known.scope === 'Namespaced' ? 'default' : undefined;
        return client.apply(known, { ...object, metadata: { namespace, ...object.metadata } });
      },
      { timeout: '30s', message: `${kind} to be served` },
    );
    console.log(`${kind} ${applied.metadata.name} applied`);
  }
}

const isReady = ({ status }) =>
  status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True');

/** Waits until the sample is reconciled. */
async function reconciledSample(client) {
  const Guestbook = defineKind({
    apiVersion: 'webapp.example.com/v1',
    kind: 'Guestbook',
    plural: 'guestbooks',
    scope: 'Namespaced',
  });
  return waitFor(async () => (await client.list(Guestbook)).items.find(isReady), {
    timeout: '30s',
    message: 'the Guestbook to be reconciled',
  });
}

try {
  await run({ cwd: parent }, process.execPath, otsBinary, 'init', 'guestbook', '--domain', 'example.com');
  await run({ cwd: project }, process.execPath, otsBinary, 'create', 'api', ...gvk);
  await run({ cwd: project }, 'npm', 'test');
  await run({ cwd: project }, 'npm', 'run', 'build');

  const { server, kubeconfig } = await startApiServer();
  const client = new Client(await loadConfig({ kubeconfig }), { fieldOwner: 'kubectl' });
  await installAndApply(client, kubeconfig);
  const { operator } = await startOperator(kubeconfig);

  const { metadata, ...rest } = await reconciledSample(client);
  say('the object, reconciled');
  const shown = { ...rest, metadata: { ...metadata, managedFields: undefined } };
  console.log(stringify(shown, { sortMapEntries: true }));

  operator.kill('SIGTERM');
  const { exitCode } = await operator;
  await client.close();
  server.kill('SIGINT');
  await server;
  if (exitCode !== 0) throw new Error(`The operator stopped with exit code ${exitCode}`);
  say(`The operator reconciled its object and stopped cleanly.${keep ? ` It is in ${project}` : ''}`);
} catch (error) {
  console.error(`\nThe quickstart failed: ${error.message}`);
  console.error(
    keep ? `The project is in ${project}.` : 'Keep the project with: npm run quickstart -- --keep',
  );
  process.exitCode = 1;
} finally {
  if (!keep) await remove(parent);
}
