import { isDeepStrictEqual } from 'node:util';
import { pluralOf } from './names/plural.ts';
import type { Resource } from './project.ts';
import { type Data, isData } from './yaml/data.ts';

/** A resource in the form of PROJECT: keys in alphabetical order, without absent, false and default values. */
export function resourceData(resource: Resource): Data {
  const { api, webhooks, controllers, plural, kind } = resource;
  return present({
    api: api && present({ ...api }),
    controller: resource.controller,
    controllers: controllers.map(({ name }) => ({ name })),
    core: resource.core,
    domain: resource.domain,
    external: resource.external,
    group: resource.group,
    kind,
    path: resource.path,
    plural: plural === pluralOf(kind) ? undefined : plural,
    version: resource.version,
    webhooks:
      webhooks &&
      present({
        conversion: webhooks.conversion,
        defaulting: webhooks.defaulting,
        defaultingPath: webhooks.defaultingPath,
        spoke: [...webhooks.spoke],
        validation: webhooks.validation,
        validationPath: webhooks.validationPath,
        webhookVersion: webhooks.webhookVersion,
      }),
  });
}

/**
 * Applies a change of the model to an entry, which may have unknown keys or another form: sets only what differs between
 * `before` and `after`.
 *
 * @param entry the data of the file, from which `before` was read
 */
export function applyChange(entry: Data, before: Data, after: Data): Data {
  const gone = new Set(Object.keys(before).filter((key) => !Object.hasOwn(after, key)));
  const result = Object.fromEntries(Object.entries(entry).filter(([key]) => !gone.has(key)));
  for (const [key, value] of Object.entries(after)) {
    if (!isDeepStrictEqual(before[key], value)) result[key] = applyValue(entry[key], before[key], value);
  }
  return result;
}

function applyValue(entry: unknown, before: unknown, after: unknown): unknown {
  if (Array.isArray(entry) && Array.isArray(before) && Array.isArray(after)) {
    const kept = entry.filter((_, index) => index >= before.length || includes(after, before[index]));
    return [...kept, ...after.filter((item) => !includes(before, item))];
  }
  return isData(entry) && isData(before) && isData(after) ? applyChange(entry, before, after) : after;
}

function includes(list: readonly unknown[], item: unknown): boolean {
  return list.some((other) => isDeepStrictEqual(other, item));
}

function present(data: Data): Data {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => isPresent(value)));
}

function isPresent(value: unknown): boolean {
  return (
    value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}
