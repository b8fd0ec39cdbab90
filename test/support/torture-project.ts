import { emptyArchives } from './checked-project.ts';
import { type EditableProject, copyOf } from './copy-of.ts';
import { type TestProject, testProject } from './test-project.ts';

const api = (kind: string) => ['create', 'api', '--group', 'crew', '--version', 'v1', '--kind', kind];

/** A project with samples of two kinds. */
export async function tortureProject(): Promise<TestProject> {
  const project = await testProject(api('Captain'), api('Sailor'));
  emptyArchives(project.directory);
  return project;
}

/** A finding as text of a program. */
const found = `({
  id: 'crash-converges-services', pattern: 'crash', oracle: 'converges', consequence: 'The Service is never created',
  details: [], plan: { phase: 'crash', step: 0, write: 2 }, description: 'The operator crashes', plans: 1, replays: true, timeline: [],
  cure: '', link: '',
})`;

/**
 * A copy of a project with an operator that does nothing, and an ots-testing that does what a test wants.
 *
 * @param torture the body of its function, which gets the options of projectSetup as \`setup\`, the other \`options\`, a \`report\` with some
 *   changes, and a finding \`found\`
 */
export function withTesting(project: Pick<TestProject, 'directory'>, torture: string): EditableProject {
  const copy = copyOf(project);
  copy.write('src/controllers/index.ts', 'export const setupControllers = (): void => {};\n');
  copy.write('src/webhooks/index.ts', 'export const setupWebhooks = (): void => {};\n');
  const module = 'node_modules/ots-testing';
  copy.write(`${module}/package.json`, JSON.stringify({ type: 'module', exports: './index.js' }));
  copy.write(
    `${module}/index.js`,
    `const found = ${found};
const report = (changes) => ({ object: 'Captain default/hook', seed: 1, writes: [], plans: { all: 1, tried: 1, skipped: 0 },
  patterns: [], milliseconds: 1, findings: [], prevented: {}, fields: {}, masked: [], ...changes });
export const projectSetup = async (setup) => setup;
export const torture = async (setup, options) => { ${torture} };
`,
  );
  return copy;
}
