import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assertFreshBuild } from '../support/assert-fresh-build.ts';
import { copyOf } from '../support/copy-of.ts';

// The processes of the search, and the packages of the project, are those of the build.
assertFreshBuild();

const controller = 'src/controllers/job-watcher.controller.ts';
const crash = '{"phase":"crash","step":0,"write":1}';

/** After the first write, the operator believes that it is done. */
const bug = `    if (resource.status?.observedGeneration === generation) return;
    await this.#client.status.patch(JobWatcher, resource, (draft) => {
      draft.status = { ...draft.status, observedGeneration: generation };
    });
`;

test('an operator with webhooks that relies on its first write is found, and its repaired form passes', async () => {
  const project = copyOf({ directory: 'test/golden/jobwatcher' });
  mkdirSync(join(project.directory, 'node_modules'));
  for (const name of ['ots-kubernetes', 'ots-runtime', 'ots-testing'])
    symlinkSync(join(process.cwd(), 'node_modules', name), join(project.directory, 'node_modules', name));
  const before = project.read(controller);
  project.change(controller, (text) => text.replace(/const \{ generation \}.*\n/, (line) => line + bug));
  const found = await project.run('torture', '--replay', crash, '--json');
  expect(found).toMatchObject({ code: 1 });
  expect(JSON.parse(found.stdout)).toMatchObject({
    samples: [
      {
        object: expect.stringContaining('JobWatcher'),
        plans: { tried: 1 },
        findings: [{ pattern: 'crash', plan: JSON.parse(crash) as object }],
      },
    ],
    failures: [],
  });
  project.write(controller, before);
  expect(await project.run('torture', '--replay', crash)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No findings in 1 sample'),
  });
});
