import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { Finding } from 'ots-testing';
import { oneLine } from '../../output/one-line.ts';
import { kebabCase } from '../../project/names/kebab-case.ts';
import type { Project } from '../../project/project.ts';
import type { Tree } from '../../scaffold/tree.ts';
import type { Sample } from '../../torture/torture-result.ts';
import { importPath } from './import-path.ts';
import { controllerFile } from './paths.ts';
import { projectVariables } from './project-variables.ts';
import { stageTemplate } from './stage-templates.ts';

/** A finding, and how it was found. */
export interface TestedFinding {
  readonly sample: Sample;
  readonly finding: Finding;
  readonly seed: number;
}

/** Most file systems accept names of 255 bytes. */
const maxNameLength = 100;

/**
 * Stages a test that tries the plan of a finding, and fails while the operator has the bug. It is next to the controller of the kind.
 *
 * @returns its path
 */
export function stageTortureTest(
  tree: Tree,
  project: Project,
  { sample, finding, seed }: TestedFinding,
): string {
  const group = project.resources.find(({ kind }) => kind === sample.kind)?.group ?? '';
  const controller = controllerFile(project, group, kebabCase(sample.kind));
  const file = controller.replace(/\.controller\.ts$/, `.torture-${nameOf(finding.id)}.test.ts`);
  const config = 'torture.config.ts';
  stageTemplate(tree, 'torture/finding.test.ts', file, {
    ...projectVariables(project, tree),
    title: literal(finding.description),
    consequence: oneLine(finding.consequence),
    sample: literal(sample.file),
    kind: literal(sample.kind),
    seed,
    plan: JSON.stringify(finding.plan),
    controllers: importPath(file, 'src/controllers/index.ts'),
    webhooks: importPath(file, 'src/webhooks/index.ts'),
    config: tree.exists(config) ? importPath(file, config) : '',
  });
  return file;
}

/**
 * The tests that {@link stageTortureTest} has put next to a torture test, in its words. They need what the torture test needs.
 *
 * @param tortureTest project-relative path
 */
export function findingTestsOf(tree: Tree, tortureTest: string): string[] {
  const start = tortureTest.replace(/\.torture\.test\.ts$/, '.torture-');
  return tree
    .list(posix.dirname(tortureTest))
    .filter((path) => path.startsWith(start) && path.endsWith('.test.ts'))
    .filter((path) => tree.read(path)?.includes('\n// ots torture found: '));
}

/** An ID as a part of the name of a file. One that cannot be one ends in its hash. */
function nameOf(id: string): string {
  const name = id.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '-');
  if (name === id && name.length <= maxNameLength) return name;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 8);
  return `${name.slice(0, maxNameLength).replaceAll(/^[-.]+|[-.]+$/g, '')}-${hash}`;
}

/** A text as source code, in single quotes where it has none itself. */
function literal(text: string): string {
  const json = JSON.stringify(oneLine(text));
  return /^"[^"'\\]*"$/.test(json) ? `'${json.slice(1, -1)}'` : json;
}
