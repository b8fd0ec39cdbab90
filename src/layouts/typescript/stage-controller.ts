import { apiGroup } from '../../project/names/api-group.ts';
import { defaultControllerName } from '../../project/names/controller-name.ts';
import { kebabCase } from '../../project/names/kebab-case.ts';
import type { Project } from '../../project/project.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { importPath } from './import-path.ts';
import { kindFile, kindImport } from './kind-import.ts';
import { controllerFile, sampleFile, testFileOf, tortureTestFile } from './paths.ts';
import { pascalCase } from './change-case.ts';
import { projectVariables } from './project-variables.ts';
import { registerSetup } from './register-setup.ts';
import { type ScaffoldResource, resourceVariables } from './resource-variables.ts';
import { stageTemplate } from './stage-templates.ts';

/**
 * Stages a controller of a resource with its test, and adds it to the list of controllers.
 *
 * @param name the controller's own name; undefined for the first, unnamed controller of a kind
 */
export function stageController(
  tree: Tree,
  project: Project,
  resource: ScaffoldResource,
  name: string | undefined,
): void {
  const { kind, group, plural, core, external } = resource;
  const fileName = name ?? kebabCase(kind);
  const file = controllerFile(project, group, fileName);
  const baseName = name === undefined ? kind : pascalCase(name);
  const groupOfName = project.multigroup ? pascalCase(group) : '';
  const setupName = `setup${name === undefined ? groupOfName : ''}${baseName}Controller`;
  const variables = {
    ...projectVariables(project, tree),
    ...resourceVariables(project, resource),
    className: `${baseName}Reconciler`,
    controllerName: name ?? defaultControllerName(kind, project.multigroup ? group : undefined),
    setupName,
    fileName,
    kindImport: kindImport(project, resource, file),
    status: !core && !external,
    rbac: core || external ? watchOnly(plural) : [...watchOnly(plural), ...reporting(plural)],
    crds: external ? `'test/crds'` : `'config/crd/bases'`,
  };
  const isNew = !tree.exists(file);
  stageTemplate(tree, 'controller/controller.ts', file, variables);
  stageTemplate(tree, 'controller/controller.test.ts', testFileOf(file), variables);
  if (!core && !external) stageKindTortureTest(tree, project, resource, isNew);
  if (external) stageExternalKind(tree, project, resource, variables);
  registerSetup(tree, 'controllers', setupName, file);
}

/**
 * Stages the torture test of a kind, which all its controllers share: the test runs the whole operator with the sample of the kind.
 *
 * @param isNew whether the controller is not there yet: then a test that is there is that of another controller, and stays
 */
function stageKindTortureTest(
  tree: Tree,
  project: Project,
  resource: ScaffoldResource,
  isNew: boolean,
): void {
  const { group, kind } = resource;
  const file = tortureTestFile(project, group, kebabCase(kind));
  const sample = sampleFile(resource);
  // A kind without a sample is nothing that the test could create.
  if (!tree.exists(sample) || (isNew && tree.exists(file))) return;
  stageTemplate(tree, 'controller/torture.test.ts', file, {
    ...projectVariables(project, tree),
    kind,
    sample,
    controllers: importPath(file, 'src/controllers/index.ts'),
    webhooks: importPath(file, 'src/webhooks/index.ts'),
  });
}

/**
 * Stages a kind of another project that no package declares: a declaration to fill in, and a CRD for the
 * tests.
 */
function stageExternalKind(
  tree: Tree,
  project: Project,
  resource: ScaffoldResource,
  variables: object,
): void {
  const file = kindFile(project, resource);
  if (file !== undefined && !tree.exists(file))
    stageTemplate(tree, 'external/kind.ts', file, { ...variables });
  const crd = `test/crds/${resource.plural}.${apiGroup(resource)}.yaml`;
  if (!tree.exists(crd)) stageTemplate(tree, 'external/crd.yaml', crd, { ...variables });
}

function watchOnly(plural: string): { resources: string; verbs: string }[] {
  return [{ resources: plural, verbs: 'get;list;watch' }];
}

/**
 * What a controller needs to update the status, and to own objects that block the deletion of their owner.
 */
function reporting(plural: string): { resources: string; verbs: string }[] {
  return [
    { resources: `${plural}/status`, verbs: 'get;update;patch' },
    { resources: `${plural}/finalizers`, verbs: 'update' },
  ];
}
