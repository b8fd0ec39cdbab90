// From an empty folder to the operator of examples/job-watcher, which deletes a Job, on a machine that has only Node: npm run quickstart
// Keeps the project with --keep.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { execa } from 'execa';
import { copy, remove } from 'fs-extra/esm';
import { Job } from 'ots-kubernetes/batch/v1';
import { Client, loadConfig, waitFor } from 'ots-runtime';
import { parse, stringify } from 'yaml';

const otsBinary = fileURLToPath(new URL('../bin/ots.cjs', import.meta.url));
const keep = process.argv.includes('--keep');
const parent = await mkdtemp(join(tmpdir(), 'ots-quickstart-'));
const project = join(parent, 'job-watcher');
const example = fileURLToPath(new URL('../examples/job-watcher', import.meta.url));
const jobKey = { namespace: 'default', name: 'pi-1' };

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
  const args = ['apiserver', '--workloads', '--kubeconfig', kubeconfig];
  say(`ots ${args.join(' ')}`);
  const server = execa(process.execPath, [otsBinary, ...args], {
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

/** Makes the project with the commands of the example, and adds what its author wrote. */
async function makeProject() {
  const commands = (await readFile(join(example, 'commands.txt'), 'utf8')).split('\n');
  await mkdir(project);
  for (const command of commands.filter((line) => line.startsWith('ots ')))
    await run({ cwd: project }, process.execPath, otsBinary, ...command.split(' ').slice(1));
  say('add what the author of examples/job-watcher wrote');
  for (const folder of ['src', 'test', 'config']) await copy(join(example, folder), join(project, folder));
}

/** Runs a Job until it is complete. @returns it */
async function completedJob(client) {
  const containers = [{ name: 'pi', image: 'perl:5.34' }];
  await client.create(Job, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: jobKey,
    spec: { template: { spec: { restartPolicy: 'Never', containers } } },
  });
  return waitFor(
    async () => {
      const job = await client.getOrThrow(Job, jobKey);
      return job.status?.completionTime && job;
    },
    { timeout: '60s', message: 'the Job to complete' },
  );
}

try {
  await makeProject();
  await run({ cwd: project }, 'npm', 'test');
  await run({ cwd: project }, 'npm', 'run', 'build');

  const { server, kubeconfig } = await startApiServer();
  const client = new Client(await loadConfig({ kubeconfig }), { fieldOwner: 'kubectl' });
  await installAndApply(client, kubeconfig);
  const { operator } = await startOperator(kubeconfig);

  say('run a Job, and wait until the operator deletes it 15 seconds after it completed, as its sample says');
  const { metadata, ...rest } = await completedJob(client);
  console.log(
    stringify({ ...rest, metadata: { ...metadata, managedFields: undefined } }, { sortMapEntries: true }),
  );
  await waitFor(async () => !(await client.get(Job, jobKey)), {
    timeout: '60s',
    message: 'the Job to be deleted',
  });

  operator.kill('SIGTERM');
  const { exitCode } = await operator;
  await client.close();
  server.kill('SIGINT');
  await server;
  if (exitCode !== 0) throw new Error(`The operator stopped with exit code ${exitCode}`);
  say(`The operator deleted the Job and stopped cleanly.${keep ? ` It is in ${project}` : ''}`);
} catch (error) {
  console.error(`\nThe quickstart failed: ${error.message}`);
  console.error(
    keep ? `The project is in ${project}.` : 'Keep the project with: npm run quickstart -- --keep',
  );
  process.exitCode = 1;
} finally {
  if (!keep) await remove(parent);
}
