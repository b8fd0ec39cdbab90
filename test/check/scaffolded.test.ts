import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { PrintedFinding } from '../support/checked-project.ts';
import { run } from '../support/run.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const projects = ['test/golden', 'examples']
  .flatMap((parent) => readdirSync(`${root}${parent}`).map((name) => `${parent}/${name}`))
  .filter((directory) => existsSync(`${root}${directory}/PROJECT`));

test('there are projects of both sorts', () => {
  expect(projects).toEqual(expect.arrayContaining(['test/golden/multigroup', 'examples/etcd-cluster']));
});

test.each(projects)('ots check finds nothing in %s', async (directory) => {
  // Without kubectl, which a machine may have or not.
  const { stdout } = await run(`${root}${directory}`, ['check', '--json'], { env: { PATH: root } });
  const { findings } = JSON.parse(stdout) as { findings: PrintedFinding[] };
  // The packed packages are not in this repository.
  expect(findings.filter(({ message }) => !/ comes from vendor\/.* does not exist$/.test(message))).toEqual(
    [],
  );
});
