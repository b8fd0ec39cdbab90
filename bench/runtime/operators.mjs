// The operators that are compared: how each is built, and started. What a toolchain is missing for is left out, visibly.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const sources = fileURLToPath(new URL('operators', import.meta.url));
/** Built once, kept for the next run. */
const builds = fileURLToPath(new URL('../../node_modules/.cache/bench-runtime', import.meta.url));

const quiet = { stdio: ['ignore', 'ignore', 'pipe'] };

const ots = {
  name: 'ots',
  prepare: async () => (mode, workers) => [
    process.execPath,
    [join(sources, 'ots/operator.mjs'), `--mode=${mode}`, `--workers=${workers}`],
  ],
  // As in the image and the deployment of a scaffolded operator.
  env: {
    NODE_ENV: 'production',
    NODE_OPTIONS: '--max-old-space-size=160 --max-semi-space-size=4 --v8-pool-size=1',
  },
};

const go = {
  name: 'controller-runtime',
  prepare: async () => {
    const binary = join(builds, 'operator-go');
    await execa('go', ['build', '-o', binary, '.'], { ...quiet, cwd: join(sources, 'go') });
    return (mode, workers) => [binary, [`--mode=${mode}`, `--workers=${workers}`]];
  },
};

const kopf = {
  name: 'kopf',
  prepare: async () => {
    const folder = join(builds, 'kopf');
    const python = join(folder, 'bin/python');
    if (!existsSync(python)) await execa('python3', ['-m', 'venv', folder], quiet);
    await execa(python, ['-m', 'pip', 'install', '-q', '-r', join(sources, 'kopf/requirements.txt')], quiet);
    return () => [python, [join(sources, 'kopf/main.py')]];
  },
};

const dotI = {
  name: '@dot-i/k8s-operator',
  prepare: async () => {
    const cwd = join(sources, 'dot-i');
    await execa('npm', ['ci', '--no-audit', '--no-fund'], { ...quiet, cwd });
    return () => [process.execPath, [join(cwd, 'operator.mjs')]];
  },
};

/**
 * The operators of these names that can be built here, each with `command(mode, workers)`.
 * @returns {Promise<{ name: string, env?: object, command: (mode: string, workers: number) => [string, string[]] }[]>}
 */
export async function prepareOperators(names) {
  await mkdir(builds, { recursive: true });
  const prepared = [];
  for (const { name, prepare, env } of [ots, go, kopf, dotI]) {
    if (!names.includes(name)) continue;
    try {
      prepared.push({ name, env, command: await prepare() });
    } catch (error) {
      console.log(`SKIPPED: ${name} cannot be built here: ${error.shortMessage ?? error.message}`);
    }
  }
  return prepared;
}
