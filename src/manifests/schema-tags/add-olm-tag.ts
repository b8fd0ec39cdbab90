import { type OlmResource, type OlmTag, marksKey } from '../schema/field-marks.ts';
import type { Schema } from '../schema/schema.ts';
import type { ArgumentSpec, Arguments } from '../tag-syntax/parse-arguments.ts';
import { parseNamedArguments } from '../tag-syntax/parse-named-arguments.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail, TagContext } from './apply-tags.ts';

const displayName: ArgumentSpec = { name: 'displayName', type: 'string' };
const order: ArgumentSpec = { name: 'order', type: 'integer' };
const kindSpecs: readonly ArgumentSpec[] = [order, { name: 'resources', type: 'list' }];
const fieldSpecs: readonly ArgumentSpec[] = [
  order,
  { name: 'xDescriptors', type: 'list' },
  { name: 'type', type: 'string', values: ['spec', 'status'] },
];

/** The descriptors of the user interface of OpenShift, whose names need no prefix. */
const commonPrefix = 'urn:alm:descriptor:com.tectonic.ui:';

/** Applies @olm, which `ots generate kustomize-manifests` reads and which changes nothing in the CRD. */
export function addOlmTag(
  schema: Schema,
  tag: Tag,
  fail: Fail,
  { diagnostics, placement }: TagContext,
): void {
  const specs = placement === 'kind' ? kindSpecs : fieldSpecs;
  const read = parseNamedArguments(tag, displayName, specs, diagnostics);
  if (!read) return;
  const { name, args } = read;
  const resources = resourcesIn(tag, args, fail);
  if (!resources) return;
  const [position, type] = [args.integer('order'), args.string('type')];
  const added: OlmTag = {
    ...(name && { displayName: name }),
    ...(position !== undefined && { order: position }),
    ...(resources.length > 0 && { resources }),
    ...(type !== undefined && { type }),
    ...(args.has('xDescriptors') && {
      xDescriptors: args
        .list('xDescriptors')!
        .map((item) => (item.startsWith('urn:') ? item : `${commonPrefix}${item}`)),
    }),
  };
  schema[marksKey] = { ...schema[marksKey], olm: [...(schema[marksKey]?.olm ?? []), added] };
}

/** @returns undefined after errors */
function resourcesIn(tag: Tag, args: Arguments, fail: Fail): OlmResource[] | undefined {
  const items = args.list('resources') ?? [];
  const parts = tag.form === 'marker' ? goStructs(items.join(',')) : items.map((item) => item.split('/'));
  const wrong = parts.find(
    ([kind = '', version = '', , rest]) =>
      !/^[A-Z]\w*$/.test(kind) || !/^v\d\w*$/.test(version) || rest !== undefined,
  );
  if (wrong) {
    fail(
      `has an invalid resource: ${wrong.join('/') || 'an empty one'}`,
      'write Kind/version or Kind/version/name, without a group, such as Deployment/v1',
    );
    return undefined;
  }
  return parts.map(([kind = '', version = '', name = '']) => ({ kind, version, name }));
}

/** Reads what is inside the outer braces of `{{Kind,version,"name"},…}`. */
function goStructs(text: string): string[][] {
  return Array.from(text.matchAll(/\{([^{}]*)\}/g), ([, inner = '']) =>
    (inner.match(/(?:"[^"]*"|[^,"])+/g) ?? []).map((part) => part.trim().replace(/^(["'`])(.*)\1$/, '$2')),
  );
}
