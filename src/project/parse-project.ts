import { type Document, isMap } from 'yaml';
import { apiGroup } from './names/api-group.ts';
import { checkControllerName } from './names/controller-name.ts';
import { checkDomain } from './names/check-domain.ts';
import { checkProjectName } from './names/check-project-name.ts';
import { checkRepo } from './names/check-repo.ts';
import { quoted } from './names/quoted.ts';
import { deepFreeze } from './deep-freeze.ts';
import { parseResource } from './parse-resource.ts';
import { type Project, type Resource, projectLayout, projectVersion } from './project.ts';
import { describeResource } from './resource-identity.ts';
import { Fields } from './yaml/fields.ts';
import { sourceError } from './yaml/source-error.ts';

/**
 * Parses PROJECT into the model, and rejects whatever would fail later.
 *
 * @throws {OtsError} with line and column: `PROJECT_VERSION`, `PROJECT_LAYOUT`, `PROJECT_TOO_NEW`, `INVALID_PROJECT`,
 *   `DUPLICATE_RESOURCE`, or the code of the name rule that a value breaks
 */
export function parseProject(text: string, document: Document.Parsed): Project {
  if (!isMap(document.contents)) {
    throw sourceError(text, document.contents?.range[0] ?? 0, {
      code: 'INVALID_PROJECT',
      message: 'PROJECT must be a map of keys and values',
      hint: 'Restore PROJECT from version control, or start a new project with ots init.',
    });
  }
  const fields = new Fields(text, document, document.contents);
  checkFormat(fields);
  const layout = readLayout(fields);
  const domain = fields.requiredString('domain');
  fields.check('domain', () => checkDomain(domain));
  const projectName = fields.requiredString('projectName');
  fields.check('projectName', () => checkProjectName(projectName));
  const repo = fields.string('repo') ?? '';
  if (repo !== '') fields.check('repo', () => checkRepo(repo));
  const plugins = fields.map('plugins')?.data() ?? {};
  return deepFreeze({
    version: projectVersion,
    layout,
    domain,
    projectName,
    repo,
    multigroup: fields.boolean('multigroup'),
    namespaced: fields.boolean('namespaced'),
    cliVersion: fields.string('cliVersion'),
    plugins,
    resources: readResources(fields),
  });
}

function checkFormat(fields: Fields): void {
  const version = fields.requiredString('version');
  if (version === projectVersion) return;
  throw isNewer(version, projectVersion)
    ? tooNew(fields, 'version', `version ${quoted(version)} of the PROJECT format`)
    : fields.error(
        'version',
        `PROJECT has format ${quoted(version)}, and ots reads ${quoted(projectVersion)}`,
        'Restore PROJECT from version control, or start a new project with ots init.',
        'PROJECT_VERSION',
      );
}

/** `layout` is a list; older tools wrote one string. It may also name other plugins. */
function readLayout(fields: Fields): string[] {
  const layout = fields.holdsString('layout') ? [fields.requiredString('layout')] : fields.strings('layout');
  if (layout.includes(projectLayout)) return layout;
  const [name = '', ownVersion = ''] = projectLayout.split('/');
  const foreign = layout[0];
  if (foreign === undefined) {
    throw fields.error(
      layout.length === 0 ? undefined : 'layout',
      'layout is missing, so this may be the project of another tool',
      `Add "layout: [${projectLayout}]" if ots created the project.`,
      'PROJECT_LAYOUT',
    );
  }
  const version = foreign.startsWith(`${name}/`) ? foreign.slice(name.length + 1) : '';
  if (isNewer(version.replace(/^v/, ''), ownVersion.replace(/^v/, ''))) {
    throw tooNew(fields, 'layout', `the layout ${quoted(foreign)}`);
  }
  const maker = /\.sdk\.operatorframework\.io\//.test(foreign)
    ? ' project of operator-sdk'
    : /\.kubebuilder\.io\//.test(foreign)
      ? ' project of kubebuilder'
      : ' project';
  throw fields.error(
    'layout',
    `This is a ${quoted(foreign).slice(1, -1)}${maker}, not of ots`,
    'Run ots in a folder that ots init created.',
    'PROJECT_LAYOUT',
  );
}

function isNewer(version: string, own: string): boolean {
  return /^[0-9]{1,9}(\D|$)/.test(version) && Number.parseInt(version, 10) > Number.parseInt(own, 10);
}

function tooNew(fields: Fields, key: string, what: string): Error {
  return fields.error(
    key,
    `PROJECT has ${what}: this version of ots is older than the project`,
    'Update ots: npm install --save-dev ots@latest.',
    'PROJECT_TOO_NEW',
  );
}

function readResources(fields: Fields): Resource[] {
  const seen = new Set<string>();
  const plurals = new Map<string, string>();
  const controllers: string[] = [];
  return fields.maps('resources').map((entry) => {
    const resource = parseResource(entry);
    const identity = describeResource(resource);
    if (seen.has(identity)) {
      throw entry.error(
        'kind',
        `${identity} is listed twice`,
        'Merge the two entries into one.',
        'DUPLICATE_RESOURCE',
      );
    }
    seen.add(identity);
    const crd = `${resource.plural}.${apiGroup(resource)}`;
    const other = plurals.get(crd) ?? resource.kind;
    if (other !== resource.kind) {
      throw entry.error(
        'kind',
        `${resource.kind} and ${other} have the same CRD name ${crd}`,
        'Change the plural of one of them.',
        'PLURAL_TAKEN',
      );
    }
    plurals.set(crd, resource.kind);
    for (const { name } of resource.controllers) {
      entry.check('controllers', () => checkControllerName(name, controllers));
      controllers.push(name);
    }
    return resource;
  });
}
