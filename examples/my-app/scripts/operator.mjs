// Builds the image, deploys the operator and removes it again, wherever Node runs. package.json and the Makefile call it:
// node scripts/operator.mjs <task>
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const image = process.env.IMG;
const containerTool = process.env.CONTAINER_TOOL || 'docker';
const kubectl = process.env.KUBECTL || 'kubectl';
// The command would wait forever for objects whose finalizers are no longer removed.
const deletion = ['delete', '--ignore-not-found', '--timeout', '3m'];
const installer = 'dist/install.yaml';

const tasks = {
  'docker-build': () => run(containerTool, 'build', '--tag', image || 'controller:latest', '.'),
  'docker-push': () => run(containerTool, 'push', image || fail('Set IMG to the image to push.')),
  'build-installer': buildInstaller,
  install: () => run(kubectl, 'apply', '--server-side', '-k', crds()),
  uninstall: () => run(kubectl, ...deletion, '-k', crds()),
  deploy() {
    buildInstaller();
    // Client-side apply copies an object into its own annotation, where large CRDs do not fit.
    run(kubectl, 'apply', '--server-side', '-f', installer);
  },
  undeploy: () => run(kubectl, ...deletion, '-k', 'config/default'),
};

/** Writes everything that `deploy` applies to one file, with IMG as the manager's image. Does not change config/. */
function buildInstaller() {
  mkdirSync('dist', { recursive: true });
  run(kubectl, 'kustomize', image ? overlayWith(image) : 'config/default', '--output', installer);
  if (image && !readFileSync(installer, 'utf8').includes(`image: ${image}\n`)) {
    fail(
      'config/default has no Deployment "controller-manager" with a container "manager" that could run IMG.',
    );
  }
}

/** Writes a kustomization to dist/: config/default with another image. JSON is YAML that needs no quoting. */
function overlayWith(managerImage) {
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'controller-manager' },
    spec: { template: { spec: { containers: [{ name: 'manager', image: managerImage }] } } },
  };
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: ['../../config/default'],
    patches: [
      {
        target: { kind: 'Deployment', name: 'controller-manager' },
        patch: JSON.stringify(deployment),
      },
    ],
  };
  mkdirSync('dist/deploy', { recursive: true });
  writeFileSync(
    'dist/deploy/kustomization.yaml',
    `${JSON.stringify(kustomization, undefined, 2)}\n`,
  );
  return 'dist/deploy';
}

function crds() {
  return existsSync('config/install')
    ? 'config/install'
    : fail('There are no CRDs yet. Add a kind: npx ots create api');
}

/** Runs a program to its end. The command can contain arguments, as in KUBECTL='kubectl --context staging'. */
function run(command, ...args) {
  const [program, ...first] = command.trim().split(/\s+/);
  const { status, error } = spawnSync(program, [...first, ...args], { stdio: 'inherit' });
  if (error) fail(`Cannot run ${program}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

const task = process.argv[2] ?? '';
if (!Object.hasOwn(tasks, task))
  fail(`Usage: node scripts/operator.mjs ${Object.keys(tasks).join('|')}`);
tasks[task]();
