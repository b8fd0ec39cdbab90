import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { stageBundleKustomization } from '../../layouts/typescript/stage-bundle-kustomization.ts';
import { stageManifests } from '../../layouts/typescript/stage-manifests.ts';
import { ownedKinds } from '../../manifests/olm/owned-kinds.ts';
import { BaseYaml } from '../../olm/base/base-yaml.ts';
import { type OperatorDescription, describeOperator } from '../../olm/base/describe-operator.ts';
import { type Described, describeKinds } from '../../olm/base/owned-crds.ts';
import type { JsonObject } from '../../olm/bundle/json.ts';
import { csvFileName, newBase } from '../../olm/generate/base-csv.ts';
import { toYaml } from '../../olm/generate/to-yaml.ts';
import { reportPlan } from '../../output/report-plan.ts';
import type { Project } from '../../project/project.ts';
import { ProjectFile } from '../../project/project-file.ts';
import { execute } from '../../scaffold/execute.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import { projectFile } from '../../scaffold/project-root.ts';
import { Tree } from '../../scaffold/tree.ts';
import { projectRoot } from '../shared/in-project.ts';
import { reportOptions, workingDirectory } from '../shared/report-options.ts';
import { type DescribeOptions, describeBase } from './describe-base.ts';
import { packageOf } from './package-of.ts';
import { readIcon } from './read-icon.ts';

export interface KustomizeManifestsOptions extends CommonOptions, DescribeOptions {
  /** A file. */
  icon?: string;
  package?: string;
}

/**
 * `ots generate kustomize-manifests`: writes config/manifests, with the base ClusterServiceVersion that describes the operator and
 * its kinds.
 *
 * @throws OtsError `INVALID_BASE`, and of the flags, the answers, the icon and the sources
 */
export async function kustomizeManifests(
  options: KustomizeManifestsOptions,
  context: Context,
): Promise<void> {
  const fs = context.fs ?? diskFileSystem;
  const root = projectRoot(options, context);
  const report = reportOptions(options);
  const icon =
    options.icon === undefined ? undefined : readIcon(options.icon, workingDirectory(options, context), fs);
  const before = new Tree(root, { fs });
  const { packageName } = packageOf(options.package, before.read(projectFile));
  const path = `config/manifests/bases/${csvFileName(packageName)}`;
  const written = before.read(path);
  const spec = written === undefined ? undefined : (new BaseYaml(written, path).csv['spec'] ?? {});
  const description = { ...(await describeBase(options, spec, context)), icon };
  const execution = {
    command: 'generate kustomize-manifests',
    root,
    dryRun: report.dryRun,
    force: false,
    fs,
  };
  const plan = await execute(execution, async (tree) => {
    const { project } = ProjectFile.parse(tree.read(projectFile) ?? '');
    const { crds } = await stageManifests(tree, project);
    const notes = stageBase(tree, path, (base) =>
      describeKinds(
        describeOperator(base ?? firstBase(packageName, project, description), description),
        ownedKinds(crds),
      ),
    );
    stageBundleKustomization(tree, packageName);
    return { notes, nextSteps: ['npx ots generate bundle --version 0.0.1'] };
  });
  await reportPlan(plan, report, context);
}

/** @returns notes */
function stageBase(
  tree: Tree,
  path: string,
  describe: (base: JsonObject | undefined) => Described,
): readonly string[] {
  const text = tree.read(path);
  const base = text === undefined ? undefined : new BaseYaml(text, path);
  const { csv, notes } = describe(base?.csv);
  if (base) tree.edit(path, () => base.with(csv));
  else tree.create(path, toYaml(csv));
  return notes.map((note) => `${path}: ${note}`);
}

/** A base with a link to the repository, if PROJECT names one with a host. */
function firstBase(
  packageName: string,
  { repo, namespaced }: Project,
  { displayName = packageName }: OperatorDescription,
): JsonObject {
  const base = newBase(packageName, namespaced ? 'OwnNamespace' : 'AllNamespaces');
  if (!/^[\w-]+(?:\.[\w-]+)+\//.test(repo)) return base;
  return { ...base, spec: { ...base.spec, links: [{ name: displayName, url: `https://${repo}` }] } };
}
