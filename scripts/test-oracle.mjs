// Runs every test that has something to ask a real kube-apiserver: npm run test:oracle. With an argument, the suites whose names
// start with it: npm run test:conformance is those of the embedded API server.
// Its binaries (etcd, kube-apiserver) are taken from KUBEBUILDER_ASSETS, or else from where a script beside this
// repository builds them. Without either, nothing is run but kubectl against the embedded API server.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { remove } from 'fs-extra/esm';
import { findAssets } from './find-assets.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Test files that ask the real server when KUBEBUILDER_ASSETS is set. */
const suites = {
  projects: [
    '--config',
    'test/integration/vitest.config.ts',
    'test/integration/oracle.test.ts',
    'test/integration/deploy.test.ts',
    'test/integration/apply-set.test.ts',
  ],
  dev: ['--config', 'test/integration/vitest.config.ts', 'test/integration/dev-existing-cluster.test.ts'],
  commands: ['test/cli/install.test.ts', 'test/cli/deploy.test.ts'],
  // Generates once more all CRDs that the tests generate, for oracle-recorded.test.ts in the next suite.
  'manifests-recording': ['--config', 'test/manifests/recording/vitest.config.ts'],
  // Each file starts a control plane of its own, here and below: while one starts, another works.
  manifests: ['test/manifests/oracle'],
  runtime: ['integration.test.ts', 'test/docs/examples', 'test/docs/programs'],
  // Of those that npm test leaves out.
  long: [
    '--config',
    'test/thorough/vitest.config.ts',
    'packages/runtime/test/faults',
    'failover.integration',
    'test/cli/run-bundle',
  ],
  // The others of the examples move time, which only the embedded server lets them.
  examples: [
    '--config',
    'test/examples/vitest.config.ts',
    '--project=!examples',
    'controller.test.ts',
    'webhooks/',
  ],
  conformance: [
    'packages/apiserver/test/conformance/',
    'packages/apiserver/test/support/',
    'packages/testing/src/environment/test-environment.test.ts',
  ],
  workloads: ['packages/testing/test/conformance/'],
  'conformance-kubectl': ['--config', 'packages/apiserver/test/conformance/kubectl/vitest.config.ts'],
};
/** The suites whose part for the embedded server is in `npm test`. */
const embeddedIsTested = new Set(['conformance', 'workloads']);
/** Suites that only run when they are named: kube-controller-manager races with the stories of its controllers on a busy machine. */
const onRequest = new Set(['workloads']);
const [wanted = ''] = process.argv.slice(2);

const assets = await findAssets();
if (!assets)
  console.log('SKIPPED: the tests against a real kube-apiserver; set KUBEBUILDER_ASSETS to run them');
/** What the failing suites say at their ends, by name. */
const failures = new Map();
const recorded = await mkdtemp(join(tmpdir(), 'ots-crds-'));
for (const [name, suite] of Object.entries(suites)) {
  if (
    !name.startsWith(wanted) ||
    (wanted === '' && onRequest.has(name)) ||
    (!assets && name !== 'conformance-kubectl')
  )
    continue;
  const { exitCode = 1, all } = await execa('vitest', ['run', ...suite], {
    cwd: root,
    localDir: root,
    preferLocal: true,
    env: {
      ...(assets && { KUBEBUILDER_ASSETS: assets }),
      ...(embeddedIsTested.has(name) && { CONFORMANCE_SERVER: 'kube-apiserver' }),
      RECORDED_CRDS: recorded,
      FAULT_ROUNDS: process.env.FAULT_ROUNDS ?? '3',
    },
    stdin: 'ignore',
    stdout: ['inherit', 'pipe'],
    stderr: ['inherit', 'pipe'],
    all: true,
    reject: false,
  });
  if (exitCode !== 0) failures.set(name, failuresIn(all));
}
await remove(recorded);

// The suites after a failing one print thousands of lines.
for (const [name, text] of failures) console.log(`\nFAILED: node scripts/test-oracle.mjs ${name}\n${text}`);
if (failures.size > 0) process.exitCode = 1;

/** What vitest writes of failures after the last file, or else its last lines. */
function failuresIn(output) {
  const start = output.search(/^.*(Failed (Tests|Suites) \d|Unhandled Error)/m);
  return start < 0 ? output.split('\n').slice(-30).join('\n') : output.slice(start, start + 20_000);
}
