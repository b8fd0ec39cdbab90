// Times scaffolding as whole processes, beside bare Node and what kubebuilder takes: npm run bench:scaffold
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeSync } from 'fs-extra/esm';
import { median } from './median.mjs';

const otsBinary = fileURLToPath(new URL('../bin/ots.cjs', import.meta.url));
const roundCount = Number(process.argv[2] ?? 10);
const gvk = ['--group', 'batch', '--version', 'v1', '--kind', 'JobWatcher'];

/** kubebuilder's own work in ms on 2 cores, without the Go tools that it starts. */
const steps = [
  { name: 'node -e 0', args: ['-e', '0'] },
  { name: 'ots --version', args: [otsBinary, '--version'] },
  {
    name: 'ots init',
    args: [
      otsBinary,
      'init',
      '--domain',
      'example.com',
      '--project-name',
      'jobwatcher',
      '--skip-install',
      '-q',
    ],
    kubebuilder: '40',
  },
  { name: 'ots create api', args: [otsBinary, 'create', 'api', ...gvk, '-q'], kubebuilder: '45' },
  {
    name: 'ots create webhook',
    args: [otsBinary, 'create', 'webhook', ...gvk, '--defaulting', '--programmatic-validation', '-q'],
    kubebuilder: '95-165',
  },
];

function time(args, cwd) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`${args.join(' ')} failed: ${stderr.toString()}`);
  return performance.now() - start;
}

const samples = steps.map(() => []);
for (let round = 0; round <= roundCount; round++) {
  const cwd = mkdtempSync(join(tmpdir(), 'ots-bench-'));
  for (const [index, step] of steps.entries()) {
    const elapsed = time(step.args, cwd);
    if (round > 0) samples[index].push(elapsed); // the first round warms up
  }
  removeSync(cwd);
}

const bare = median(samples[0]);
console.log(`Medians of ${roundCount} rounds, whole processes, Node ${process.version}\n`);
console.log('command              ms   x bare node   own work ms   kubebuilder ms');
for (const [index, { name, kubebuilder = '' }] of steps.entries()) {
  const ms = median(samples[index]);
  const columns = [
    ms.toFixed(0).padStart(4),
    (ms / bare).toFixed(2).padStart(13),
    (ms - bare).toFixed(0).padStart(13),
  ];
  console.log(`${name.padEnd(19)}${columns.join(' ')} ${kubebuilder.padStart(16)}`);
}
