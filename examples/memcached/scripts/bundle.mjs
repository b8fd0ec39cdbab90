// Makes the bundle and the catalog for the Operator Lifecycle Manager, wherever Node runs. package.json and the Makefile call it:
// node scripts/bundle.mjs generate|build|push|build-catalog|push-catalog
import { spawnSync } from 'node:child_process';

const { env } = process;
const version = env.VERSION || '0.0.1';
const base = env.IMAGE_TAG_BASE || 'example.com/memcached-operator';
const image = env.IMG || `${base}:v${version}`;
const bundleImage = env.BUNDLE_IMG || `${base}-bundle:v${version}`;
const catalogImage = env.CATALOG_IMG || `${base}-catalog:v${version}`;

const tasks = {
  generate() {
    ots('generate', 'kustomize-manifests');
    ots('generate', 'bundle', '--version', version, '--image', image, ...channels());
    ots('bundle', 'validate', 'bundle');
  },
  build: () => container('build', '--file', 'bundle.Dockerfile', '--tag', bundleImage, '.'),
  push: () => container('push', bundleImage),
  'build-catalog'() {
    const images = env.BUNDLE_IMG || `${base}-bundle:v{version}`;
    ots('catalog', 'build', 'catalog-template.yaml', '--image', images);
    container('build', '--file', 'catalog.Dockerfile', '--tag', catalogImage, '.');
  },
  'push-catalog': () => container('push', catalogImage),
};

function channels() {
  return [
    ...(env.CHANNELS ? ['--channels', env.CHANNELS] : []),
    ...(env.DEFAULT_CHANNEL ? ['--default-channel', env.DEFAULT_CHANNEL] : []),
  ];
}

/** Runs ots, which npm finds in node_modules. */
function ots(...args) {
  run('ots', args, { shell: process.platform === 'win32' });
}

/** Runs docker, or the command in CONTAINER_TOOL, which can contain arguments. */
function container(...args) {
  const tool = env.CONTAINER_TOOL || 'docker';
  const [program, ...first] = tool.trim().split(/\s+/);
  run(program, [...first, ...args], {});
}

function run(program, args, options) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', ...options });
  if (error) fail(`Cannot run ${program}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

const task = process.argv[2] ?? '';
if (!Object.hasOwn(tasks, task))
  fail('Usage: node scripts/bundle.mjs generate|build|push|build-catalog|push-catalog');
tasks[task]();
