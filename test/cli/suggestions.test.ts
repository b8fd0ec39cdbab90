import { expect, test } from 'vitest';
import { testProject } from '../support/test-project.ts';

const gvk = (group: string, version: string, kind: string) => [
  '--group',
  group,
  '--version',
  version,
  '--kind',
  kind,
];
const webhook = (...name: [string, string, string]) => ['create', 'webhook', ...gvk(...name), '--defaulting'];

const project = await testProject(
  ['edit', '--multigroup'],
  ['create', 'api', ...gvk('batch', 'v1', 'JobWatcher')],
  ['create', 'api', ...gvk('batch', 'v2', 'JobWatcher')],
  ['create', 'api', ...gvk('crew', 'v1', 'Captain')],
);
const owned = 'The project has JobWatcher (batch/v1), JobWatcher (batch/v2), Captain (crew/v1).';

test.each([
  [
    'in a group that Kubernetes has, too',
    webhook('batch', 'v1', 'Nope'),
    'The built-in group batch/v1 has no kind "Nope"',
    `${owned} The built-in group has CronJob (v1), Job (v1).`,
  ],
  [
    'in its own group',
    webhook('crew', 'v1', 'Captian'),
    'The project has no crew.example.com/v1, Kind=Captian',
    'Did you mean --group crew --version v1 --kind Captain? The project has Captain (crew/v1), JobWatcher (batch/v1), JobWatcher (batch/v2). Create it first: ots create api --group crew --version v1 --kind Captian.',
  ],
  [
    'in another version',
    webhook('batch', 'v3', 'JobWatcher'),
    'The built-in group batch has no version "v3"',
    `Did you mean --group batch --version v1 --kind JobWatcher? ${owned} The built-in group has v1.`,
  ],
  [
    'in a misspelled group',
    ['create', 'api', ...gvk('bacth', 'v1', 'JobWatcher'), '--resource=false', '--controller'],
    'Kubernetes has no API group "bacth"',
    `Did you mean --group batch --version v1 --kind JobWatcher? ${owned} Built-in groups are `,
  ],
])('a kind that is missing, %s: the kinds of the project are suggested', async (_, args, error, hint) => {
  const { code, stderr } = await project.run(...args);
  expect(code).toBe(1);
  const lines = stderr.split('\n');
  expect(lines[0]).toBe(`error: ${error}`);
  expect(lines[1]).toContain(`hint: ${hint}`);
});
