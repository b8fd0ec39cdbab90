/** What decides where the files of a resource are. */
export interface ResourceLocation {
  readonly group: string;
  readonly version: string;
  /** The kind in kebab case, which names its files. */
  readonly kindKebab: string;
}

/** How folders are laid out: by group, or without it when there is one group only. */
export interface Layout {
  readonly multigroup: boolean;
}

/** The folder of a group: nothing in a project of one group. The core group has no name, so it gets one. */
function groupFolder(layout: Layout, group: string): string {
  return layout.multigroup ? `${group || 'core'}/` : '';
}

/** The API type of a kind, in one version. */
export function typeFile(layout: Layout, { group, version, kindKebab }: ResourceLocation): string {
  return `${typeDirectory(layout, group, version)}/${kindKebab}.ts`;
}

/** The folder of the API types of a group and version; PROJECT names it as the resource's `path`. */
export function typeDirectory(layout: Layout, group: string, version: string): string {
  return `src/api/${groupFolder(layout, group)}${version}`;
}

/** The example of a kind, in one version. */
export function sampleFile({
  group,
  version,
  kind,
}: {
  group: string;
  version: string;
  kind: string;
}): string {
  return `config/samples/${group}_${version}_${kind.toLowerCase()}.yaml`;
}

/** A controller; its test stands beside it. @param name the kind in kebab case, or the controller's own name */
export function controllerFile(layout: Layout, group: string, name: string): string {
  return `src/controllers/${groupFolder(layout, group)}${name}.controller.ts`;
}

export type WebhookRole = 'defaulter' | 'validator' | 'conversion';

/** A webhook handler; its test stands beside it. */
export function webhookFile(
  layout: Layout,
  { group, version, kindKebab }: ResourceLocation,
  role: WebhookRole,
): string {
  return `src/webhooks/${groupFolder(layout, group)}${version}/${kindKebab}.${role}.ts`;
}

/** The declaration of a kind that belongs to another project. */
export function externalFile({ group, version, kindKebab }: ResourceLocation): string {
  return `src/external/${group}/${version}/${kindKebab}.ts`;
}

/** The test that stands beside a file. */
export function testFileOf(file: string): string {
  return file.replace(/\.ts$/, '.test.ts');
}
