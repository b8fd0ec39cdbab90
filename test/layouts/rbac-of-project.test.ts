import { expect, test } from 'vitest';
import { copyPackages, goldenCopy, runIn } from '../support/golden-copy.ts';

copyPackages();

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
  'the controller test of a scaffolded project fails and names the missing rule, its class and what to do: %s',
  async (_, rule, message) => {
    const project = goldenCopy('jobwatcher', [['config/rbac/role.yaml', rule, '']]);
    const { exitCode, all } = await runIn(project, 'npx', 'vitest', 'run', 'controller.test');
    expect(exitCode).toBe(1);
    expect(all).toContain(message);
    expect(all).toContain(
      'Add the tag to the comment of the class that needs it, then run npm run manifests.',
    );
    expect(all).toMatch(/Tests .*1 failed/);
    expect(all).not.toContain('Unhandled');
  },
);
