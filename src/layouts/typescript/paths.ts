/** What determines the location of a resource's files. */
export interface ResourceLocation {
  readonly group: string;
  readonly version: string;
  /** The kind in kebab case, which names its files. */
  readonly kindKebab: string;
}

/** How folders are laid out: by group, or without group folders if there is only one group. */
export interface Layout {
  readonly multigroup: boolean;
}

/**
 * Returns the folder of a group; empty in a single-group project. The core group has no name, so its folder
 * gets one.
 */
function groupFolder(layout: Layout, group: string): string {
  return layout.multigroup ? `${group || 'core'}/` : '';
}

/** Returns the file of a kind's API type, in one version. */
export function typeFile(layout: Layout, { group, version, kindKebab }: ResourceLocation): string {
  return `${typeDirectory(layout, group, version)}/${kindKebab}.ts`;
}

/**
 * Returns the folder of the API types of a group and version. PROJECT records it as the resource's `path`.
 */
export function typeDirectory(layout: Layout, group: string, version: string): string {
  return `src/api/${groupFolder(layout, group)}${version}`;
}

/** Returns the sample of a kind, in one version. */
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

/**
 * Returns the file of a controller. Its test is next to it.
 * @param name the kind in kebab case, or the controller's own name
 */
export function controllerFile(layout: Layout, group: string, name: string): string {
  return `src/controllers/${groupFolder(layout, group)}${name}.controller.ts`;
}

/** Whether a file is the torture test of a kind. */
export function isTortureTest(path: string): boolean {
  return path.endsWith('.torture.test.ts');
}

/** Returns the file of the torture test of a kind, which is next to its controllers. */
export function tortureTestFile(layout: Layout, group: string, kindKebab: string): string {
  return controllerFile(layout, group, kindKebab).replace(/\.controller\.ts$/, '.torture.test.ts');
}

export type WebhookRole = 'defaulter' | 'validator' | 'conversion';

/** Returns the file of a webhook handler. Its test is next to it. */
export function webhookFile(
  layout: Layout,
  { group, version, kindKebab }: ResourceLocation,
  role: WebhookRole,
): string {
  return `src/webhooks/${groupFolder(layout, group)}${version}/${kindKebab}.${role}.ts`;
}

/** Returns the file that declares a kind of another project. */
export function externalFile({ group, version, kindKebab }: ResourceLocation): string {
  return `src/external/${group}/${version}/${kindKebab}.ts`;
}

/** Returns the test file next to a file. */
export function testFileOf(file: string): string {
  return file.replace(/\.ts$/, '.test.ts');
}
