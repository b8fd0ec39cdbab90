import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import { type JsonObject, isObject, textOf, valueOf } from '../bundle/json.ts';
import type { Collection } from './collection.ts';
import { type InputObject, nameOf } from './input-object.ts';
import type { SplitPermissions } from './permissions.ts';

/** The manifests of a bundle beside the ClusterServiceVersion, by file name. */
export interface BundleObjects {
  readonly objects: ReadonlyMap<string, JsonObject>;
  readonly problems: readonly string[];
}

/**
 * The objects that a bundle contains as files. They have no namespace: OLM installs them beside the operator.
 *
 * @throws OtsError `INVALID_NAME` for a name that cannot be that of a file
 */
export function bundleObjects(collection: Collection, { remaining }: SplitPermissions): BundleObjects {
  const { crds, services, others } = collection;
  const objects = new Map<string, JsonObject>();
  const problems: string[] = [];
  for (const input of [...crds, ...services, ...others, ...remaining]) {
    const wanted = fileNameOf(input);
    const isTaken = objects.has(wanted);
    if (isTaken)
      problems.push(`the input has two different objects ${nameOf(input)}: OLM installs one of them`);
    objects.set(isTaken ? `dup${problems.length - 1}_${wanted}` : wanted, manifestOf(input));
  }
  return { objects, problems };
}

function fileNameOf(input: InputObject): string {
  const { group, version, kind, name, object } = input;
  const spec = valueOf(object, 'spec');
  const [ofGroup, plural] = [textOf(spec, 'group'), textOf(valueOf(spec, 'names'), 'plural')];
  const file =
    kind === 'CustomResourceDefinition' && ofGroup !== '' && plural !== ''
      ? `${ofGroup}_${plural}.yaml`
      : `${[name, ...(group === '' ? [] : [group]), version, kind.toLowerCase()].join('_')}.yaml`;
  if (/^[\w:-][\w.:-]*$/.test(file) && name !== '') return file;
  throw new OtsError(
    'INVALID_NAME',
    `${oneLine(nameOf(input))} (${oneLine(input.source)}) has no name that can be the name of a file`,
    { hint: 'Give it a name of lower case letters, digits, - and dots.' },
  );
}

/** Kinds for which Go writes that there is no time of creation. */
const typed = new Set([
  'ClusterRole',
  'ClusterRoleBinding',
  'CustomResourceDefinition',
  'Role',
  'RoleBinding',
  'Service',
  'ServiceAccount',
]);

function manifestOf({ kind, object }: InputObject): JsonObject {
  const metadata = valueOf(object, 'metadata');
  const { namespace: _, ...rest } = isObject(metadata) ? metadata : {};
  return { ...object, metadata: { ...(typed.has(kind) && { creationTimestamp: null }), ...rest } };
}
