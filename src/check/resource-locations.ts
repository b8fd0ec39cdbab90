import { apiGroup } from '../project/names/api-group.ts';
import { kebabCase } from '../project/names/kebab-case.ts';
import type { Project, Resource } from '../project/project.ts';
import { kindFile } from '../layouts/typescript/kind-import.ts';
import {
  type WebhookRole,
  controllerFile,
  sampleFile,
  typeFile,
  webhookFile,
} from '../layouts/typescript/paths.ts';

/** A controller or a webhook handler that PROJECT records. */
export interface CodeFile {
  /** Such as `the validator`. */
  readonly what: string;
  readonly file: string;
  /** The keys of the resource that record it. */
  readonly keys: readonly string[];
  /** The file that lists its setup function. */
  readonly index: string;
}

/** The file that declares the kind of a resource; undefined if it is in a package. */
export function kindFileOf(project: Project, resource: Resource): string | undefined {
  if (resource.api) return typeFile(project, locationOf(resource));
  return resource.external ? kindFile(project, { ...resource, scope: 'Namespaced' }) : undefined;
}

/** The controllers and webhook handlers of a resource. */
export function codeFiles(project: Project, resource: Resource): CodeFile[] {
  const { group, kind, controller, controllers, webhooks } = resource;
  const names = [...(controller ? [kebabCase(kind)] : []), ...controllers.map(({ name }) => name)];
  const roles: [WebhookRole, boolean | undefined][] = [
    ['defaulter', webhooks?.defaulting],
    ['validator', webhooks?.validation],
  ];
  return [
    ...names.map((name) => ({
      what: 'the controller',
      file: controllerFile(project, group, name),
      keys: [controller ? 'controller' : 'controllers'],
      index: 'src/controllers/index.ts',
    })),
    ...roles.flatMap(([role, isUsed]) => (isUsed ? [webhook(project, resource, role)] : [])),
    ...(webhooks?.spoke ?? []).map((version) => webhook(project, { ...resource, version }, 'conversion')),
  ];
}

function webhook(project: Project, resource: Resource, role: WebhookRole): CodeFile {
  return {
    what: `the ${role}`,
    file: webhookFile(project, locationOf(resource), role),
    keys: ['webhooks'],
    index: 'src/webhooks/index.ts',
  };
}

/** The files of the roles for users of a kind; those of a kind from before `ots edit --multigroup` have no group in their names. */
export function roleFiles(
  resource: Resource,
): { readonly role: string; readonly names: readonly string[] }[] {
  const { group, kind } = resource;
  return ['admin', 'editor', 'viewer'].map((role) => ({
    role,
    names: [`${kebabCase(kind)}-${role}-role.yaml`, `${group}-${kebabCase(kind)}-${role}-role.yaml`],
  }));
}

/** The sample of a kind that the project defines. */
export function sampleOf(resource: Resource): string {
  return sampleFile(resource);
}

/** The name of the generated file of a kind's CRD. */
export function definitionFile(resource: Resource): string {
  return `bases/${apiGroup(resource)}_${resource.plural}.yaml`;
}

function locationOf({ group, version, kind }: Resource): {
  group: string;
  version: string;
  kindKebab: string;
} {
  return { group, version, kindKebab: kebabCase(kind) };
}
