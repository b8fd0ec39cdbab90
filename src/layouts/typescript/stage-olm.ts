import type { Project } from '../../project/project.ts';
import { addMissingLines } from '../../scaffold/insertions/add-missing-lines.ts';
import { addToJsonObject } from '../../scaffold/insertions/add-to-json-object.ts';
import { lineEndingOf } from '../../scaffold/insertions/line-ending.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { projectVariables } from './project-variables.ts';
import { addToKustomization } from './add-to-kustomization.ts';
import { stageBundleKustomization } from './stage-bundle-kustomization.ts';
import { stageTemplates } from './stage-templates.ts';

/** What PROJECT records. */
export const olmPlugin = 'olm.ots/v1';

/** The scripts of package.json and the targets of the Makefile, by the names of operator-sdk. */
const targets = [
  {
    name: 'bundle',
    task: 'generate',
    help: 'Generate the bundle for the Operator Lifecycle Manager, and validate it',
  },
  { name: 'bundle-build', task: 'build', help: 'Build the image BUNDLE_IMG of the bundle' },
  { name: 'bundle-push', task: 'push', help: 'Push the image BUNDLE_IMG' },
  { name: 'catalog-build', task: 'build-catalog', help: 'Build the catalog, and its image CATALOG_IMG' },
  { name: 'catalog-push', task: 'push-catalog', help: 'Push the image CATALOG_IMG' },
];

const heading = '##@ Operator Lifecycle Manager';

/**
 * Stages what makes bundles and catalogs for the Operator Lifecycle Manager. Adds what is missing; files, scripts and targets that exist
 * stay as they are.
 */
export function stageOlm(tree: Tree, project: Project): void {
  const hadScorecard = tree.exists('config/scorecard/kustomization.yaml');
  stageTemplates(tree, 'olm', projectVariables(project, tree), () => true);
  stageBundleKustomization(tree, project.projectName);
  if (!hadScorecard) addToKustomization(tree, 'config/manifests', 'resources', ['../scorecard']);
  const scripts = targets.map(({ name, task }) => [name, `node scripts/bundle.mjs ${task}`] as const);
  tree.edit('package.json', (text) =>
    addToJsonObject(text, 'package.json', 'scripts', Object.fromEntries(scripts)),
  );
  if (tree.exists('Makefile')) tree.edit('Makefile', (text) => withTargets(text, project));
  // The images of bundles and catalogs have nothing else.
  if (tree.exists('.dockerignore'))
    tree.edit('.dockerignore', (text) => addMissingLines(text, ['!bundle', '!catalog']));
}

function withTargets(text: string, project: Project): string {
  const missing = targets.filter(({ name }) => !new RegExp(`^${name}\\s*:`, 'm').test(text));
  if (missing.length === 0) return text;
  const blocks = missing.map(
    ({ name, help }) => `\n.PHONY: ${name}\n${name}: ## ${help}\n\tnpm run ${name}\n`,
  );
  const start = text.includes(heading) ? '' : `\n${heading}\n${variablesOf(project)}`;
  const eol = lineEndingOf(text);
  const gap = text.endsWith('\n') ? '' : eol;
  return text + gap + `${start}${blocks.join('')}`.replaceAll('\n', eol);
}

function variablesOf({ domain, projectName }: Project): string {
  return `
# Variables, on the command line or in the environment:
#   VERSION          version of the operator: 0.0.1 (default), 1.0.0-rc.1, ...
#   IMAGE_TAG_BASE   start of the names of all images: ${domain}/${projectName} (default)
#   IMG              image of the operator that the bundle installs: $(IMAGE_TAG_BASE):v$(VERSION) (default)
#   BUNDLE_IMG       image of the bundle: $(IMAGE_TAG_BASE)-bundle:v$(VERSION) (default)
#   CATALOG_IMG      image of the catalog: $(IMAGE_TAG_BASE)-catalog:v$(VERSION) (default)
#   CHANNELS         channels of the bundle, comma-separated: alpha (default)
#   DEFAULT_CHANNEL  channel of users who choose none
`;
}
