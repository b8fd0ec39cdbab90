import type { Csv } from '../bundle/csv.ts';
import { type JsonObject, isObject, valueOf } from '../bundle/json.ts';

/** Fields that are written also when they are empty, by the list that has the objects. */
const writtenFields: Readonly<Record<string, readonly string[]>> = {
  owned: ['name', 'version', 'kind'],
  required: ['name', 'version', 'kind'],
  resources: ['name', 'kind', 'version'],
  specDescriptors: ['path'],
  statusDescriptors: ['path'],
  actionDescriptors: ['path'],
  installModes: ['type', 'supported'],
  nativeAPIs: ['group', 'version', 'kind'],
};

/** The fields of `spec` that a catalog shows, with their names there. */
const fields = [
  ['description', 'description'],
  ['displayName', 'displayName'],
  ['installModes', 'installModes'],
  ['keywords', 'keywords'],
  ['links', 'links'],
  ['maintainers', 'maintainers'],
  ['maturity', 'maturity'],
  ['minKubeVersion', 'minKubeVersion'],
  ['nativeAPIs', 'nativeAPIs'],
] as const;

/** The value of the property `olm.csv.metadata`: what users see of an operator before they install it. */
export function csvMetadata({ metadata, spec }: Csv): JsonObject {
  return {
    ...texts('annotations', metadata?.annotations),
    apiServiceDefinitions: definitions(spec?.apiservicedefinitions, ['group']),
    crdDescriptions: definitions(spec?.customresourcedefinitions, []),
    ...Object.assign({}, ...fields.map(([name, field]) => filled(name, valueOf(spec, field)))),
    ...texts('labels', metadata?.labels),
    provider: withoutEmpty(spec?.provider ?? {}, []),
  };
}

/** A map keeps empty texts. */
function texts(name: string, map: object | undefined): JsonObject {
  return isEmpty(map) ? {} : { [name]: map };
}

function definitions(source: unknown, further: readonly string[]): JsonObject {
  return {
    ...filled('owned', valueOf(source, 'owned'), further),
    ...filled('required', valueOf(source, 'required'), further),
  };
}

function filled(name: string, value: unknown, further: readonly string[] = []): JsonObject {
  const written = withoutEmpty(value, [...(writtenFields[name] ?? []), ...further]);
  return isEmpty(written) ? {} : { [name]: written };
}

/** Leaves out empty fields of objects, as Go does. */
function withoutEmpty(value: unknown, written: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item, written));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).map(
    ([name, item]) => [name, withoutEmpty(item, writtenFields[name] ?? [])] as const,
  );
  const filledOnes = kept.filter(([name, item]) => written.includes(name) || !isEmpty(item));
  const missing = written.filter((name) => !Object.hasOwn(value, name));
  return Object.fromEntries([
    ...filledOnes,
    ...missing.map((name) => [name, name === 'supported' ? false : ''] as const),
  ]);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
