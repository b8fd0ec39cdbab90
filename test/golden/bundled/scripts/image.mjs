// Builds or pushes the operator's image, wherever Node runs. package.json and the Makefile call it:
// node scripts/image.mjs build|push
import { spawnSync } from 'node:child_process';

const image = process.env.IMG;
const tasks = {
  build: () => run('build', '--tag', image || 'controller:latest', '.'),
  push: () => run('push', image || fail('Set IMG to the image to push.')),
};

/** Runs docker, or the command in CONTAINER_TOOL, which can contain arguments. */
function run(...args) {
  const tool = process.env.CONTAINER_TOOL || 'docker';
  const [program, ...first] = tool.trim().split(/\s+/);
  const { status, error } = spawnSync(program, [...first, ...args], { stdio: 'inherit' });
  if (error) fail(`Cannot run ${program}: ${error.message}`);
  process.exitCode = status ?? 1;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

const task = process.argv[2] ?? '';
if (!Object.hasOwn(tasks, task)) fail('Usage: node scripts/image.mjs build|push');
tasks[task]();
