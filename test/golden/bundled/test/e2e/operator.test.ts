import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';

// These tests check the operator in the cluster of the current context. Deploy it first: npm run deploy
const namespace = 'bundled-system';

/** Runs kubectl, or the command in $KUBECTL, and returns what it printed. */
function kubectl(...args: string[]): string {
  const [program = 'kubectl', ...first] = (process.env['KUBECTL'] ?? 'kubectl').split(' ');
  const { status, stdout, stderr, error } = spawnSync(program, [...first, ...args], {
    encoding: 'utf8',
  });
  if (error) throw error;
  expect(status, stderr).toBe(0);
  return stdout;
}

test('the operator is running', () => {
  const deployment = 'deployment/bundled-controller-manager';
  kubectl('--namespace', namespace, 'rollout', 'status', deployment, '--timeout=180s');
});

test.runIf(existsSync('config/samples'))('the API server accepts the samples', () => {
  const accepted = kubectl('apply', '--server-side', '--dry-run=server', '-k', 'config/samples');
  expect(accepted).toContain('serverside-applied');
});
