import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';
import { assertFreshBuild } from '../support/assert-fresh-build.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

// The project loads the packages as they were built.
beforeAll(assertFreshBuild);

/** Runs the controller's test of a scaffolded project, whose role lacks a text. */
async function testWithout(rule: string): Promise<{ exitCode: number | undefined; all: string }> {
  const cwd = join(temporaryDirectory(), 'project');
  cpSync(join(root, 'test/golden/jobwatcher'), cwd, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
  const role = join(cwd, 'config/rbac/role.yaml');
  const text = readFileSync(role, 'utf8');
  expect(text).toContain(rule);
  writeFileSync(role, text.replace(rule, ''));
  const { exitCode, all } = await execa('npx', ['vitest', 'run', 'src/controllers'], {
    cwd,
    all: true,
    reject: false,
    stdin: 'ignore',
    env: { KUBEBUILDER_ASSETS: undefined, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  return { exitCode, all };
}

test.each([
  [
    'a write',
    '  - patch\n',
    'AccessDeniedError: @rbac groups=batch.my.github.com resources=jobwatchers/status verbs=patch is missing from JobWatcherReconciler:',
  ],
  [
    'the watch of its kind',
    '  - list\n',
    'AccessDeniedError: @rbac groups=batch.my.github.com resources=jobwatchers verbs=get;list;watch is missing from JobWatcherReconciler:',
  ],
])(
  'the controller test of a scaffolded project fails and names the missing rule and its class: %s',
  async (_, rule, message) => {
    const { exitCode, all } = await testWithout(rule);
    expect(exitCode).toBe(1);
    expect(all).toContain(message);
    expect(all).toMatch(/Tests .*1 failed/);
    expect(all).not.toContain('Unhandled');
  },
);
