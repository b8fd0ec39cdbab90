import type { Binding, Pod } from 'ots-kubernetes/core/v1';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import type { AdmissionPlugin } from '../plugin.ts';

const copied = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/** PodTopologyLabels: a pod that gets a node gets the labels of the node's zone and region. */
export class PodTopologyLabels implements AdmissionPlugin {
  readonly name = 'PodTopologyLabels';
  readonly #registry: ResourceRegistry;

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  handles({ operation, target: { resource, subresource } }: AdmissionAttributes): boolean {
    return (
      operation === 'CREATE' &&
      (subresource === '' || subresource === 'binding') &&
      resource.group === '' &&
      resource.plural === 'pods'
    );
  }

  mutate(attributes: AdmissionAttributes): undefined {
    const { object } = attributes;
    const node = nodeOf(attributes);
    if (!object || !node) return;
    const labels = this.#registry.find('', 'v1', 'nodes')?.table.get(node)?.object.metadata.labels ?? {};
    const found = copied.filter((name) => Object.hasOwn(labels, name)).map((name) => [name, labels[name]]);
    if (found.length > 0)
      object.metadata.labels = { ...object.metadata.labels, ...Object.fromEntries(found) };
  }
}

/** The name of the node that a new pod or a binding names. */
function nodeOf({ target, object }: AdmissionAttributes): string | undefined {
  // oxlint-disable typescript/no-unsafe-type-assertion -- decoding checked the fields
  if (target.subresource === '') return (object as unknown as Pod).spec?.nodeName;
  const bound = (object as unknown as Binding).target;
  // oxlint-enable typescript/no-unsafe-type-assertion
  return bound.kind === 'Node' ? bound.name : undefined;
}
