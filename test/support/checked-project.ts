import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Finding } from '../../src/check/finding.ts';
import { type EditableProject, copyOf } from './copy-of.ts';
import { type TestProject, testProject } from './test-project.ts';

/** A finding as `ots check --json` prints it. */
export type PrintedFinding = Omit<Finding, 'fix'> & { readonly fixable: boolean };

/** A project with a kind, a controller and two webhooks, in which `ots check` finds nothing. */
export async function checkedProject(): Promise<TestProject> {
  const kind = ['--group', 'crew', '--version', 'v1', '--kind', 'Captain'];
  const project = await testProject(
    ['create', 'api', ...kind],
    ['create', 'webhook', ...kind, '--defaulting', '--programmatic-validation'],
  );
  emptyArchives(project.directory);
  return project;
}

/** Empties the packed packages of a project: only their names matter to most tests, and copying them takes long. */
export function emptyArchives(directory: string): void {
  const vendor = join(directory, 'vendor');
  for (const name of readdirSync(vendor)) writeFileSync(join(vendor, name), '');
}

/** What `ots check` finds. */
export async function findingsIn(
  project: Pick<EditableProject, 'run'>,
  ...flags: string[]
): Promise<PrintedFinding[]> {
  const { stdout, stderr } = await project.run('check', '--json', ...flags);
  if (stderr !== '') throw new Error(stderr);
  const report = JSON.parse(stdout) as { findings?: PrintedFinding[]; error?: { message: string } };
  if (!report.findings) throw new Error(report.error?.message);
  return report.findings;
}

/** The findings in the form in which the tests state them: `file:line: severity: message (rule)`. */
export async function linesOf(project: Pick<EditableProject, 'run'>, ...flags: string[]): Promise<string[]> {
  const findings = await findingsIn(project, ...flags);
  return findings.map(
    ({ file, line, severity, message, rule }) => `${file}:${line}: ${severity}: ${message} (${rule})`,
  );
}

/** What an author does to a project, and what `ots check` says then: a part of each line, in order. */
export type Break = readonly [
  title: string,
  edit: (project: EditableProject) => void,
  expected: readonly string[],
];

/** Replaces a text in a file of the author. */
export const replace =
  (path: string, text: string | RegExp, replacement: string) =>
  (project: EditableProject): void =>
    project.change(path, (before) => before.replace(text, replacement));

/** Breaks a copy of a project, and expects these findings and no others. */
export async function expectFindings(
  project: TestProject,
  edit: (project: EditableProject) => void,
  expected: readonly string[],
): Promise<void> {
  const copy = copyOf(project);
  edit(copy);
  expect(await linesOf(copy)).toEqual(expected.map((text) => expect.stringContaining(text)));
}
