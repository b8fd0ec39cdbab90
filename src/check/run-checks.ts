import type { Tree } from '../scaffold/tree.ts';
import { Configuration } from './configuration.ts';
import type { CheckResult, Finding } from './finding.ts';
import { type CheckOptions, ProjectView } from './project-view.ts';
import { rules } from './rules.ts';

/**
 * Runs all rules on a project. Writes nothing.
 *
 * @param tree the project. What builds kustomizations reads the disk, so staged files do not count for it.
 */
export async function runChecks(tree: Tree, options: CheckOptions): Promise<CheckResult> {
  const view = await ProjectView.of(tree, options);
  const configuration = Configuration.read(view);
  const chosen = rules.filter(({ name }) => name !== 'crd-compat' || options.compat !== undefined);
  const found: Finding[] = [];
  for (const { name, load } of chosen) {
    const check = await load();
    for (const problem of await check(view)) found.push({ rule: name, ...problem });
  }
  const names = chosen.map(({ name }) => name);
  const { findings, ignored } = configuration.apply(found, names);
  return {
    findings: findings.toSorted(inOrder),
    ignored: ignored.toSorted(inOrder),
    skipped: view.skipped,
    rules: names,
  };
}

function inOrder(a: Finding, b: Finding): number {
  return (
    compare(a.file, b.file) || a.line - b.line || compare(a.rule, b.rule) || compare(a.message, b.message)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
