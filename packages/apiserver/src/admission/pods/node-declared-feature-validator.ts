import type { Node, PodSpec } from 'ots-kubernetes/core/v1';
import { isSidecar } from '../../built-in/pods/containers-of.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import { forbid } from '../forbid.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { isPodResize } from './is-pod-write.ts';

/** The features that a resize can need, in the order of messages. Other updates of pods need none. */
const features: readonly {
  readonly name: string;
  readonly isNeeded: (spec: PodSpec, old: PodSpec) => boolean;
}[] = [
  {
    name: 'InPlacePodLevelResourcesVerticalScaling',
    isNeeded: (spec, old) => !jsonEqual(spec.resources, old.resources),
  },
  {
    name: 'InPlacePodVerticalScalingInitContainers',
    isNeeded: ({ initContainers: now = [] }, { initContainers: before = [] }) =>
      before.some(
        (container, index) => !isSidecar(container) && !jsonEqual(container.resources, now[index]?.resources),
      ),
  },
];

/** NodeDeclaredFeatureValidator: a resize may only use what the node of the pod declares that it can do. */
export class NodeDeclaredFeatureValidator implements AdmissionPlugin {
  readonly name = 'NodeDeclaredFeatureValidator';
  readonly #registry: ResourceRegistry;

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  handles(attributes: AdmissionAttributes): boolean {
    return isPodResize(attributes);
  }

  /** @throws {StatusError} 403 */
  validate(attributes: AdmissionAttributes): undefined {
    const [spec, old] = [specOf(attributes.object), specOf(attributes.oldObject)];
    const name = spec.nodeName ?? '';
    const needed = features.filter(({ isNeeded }) => isNeeded(spec, old));
    if (name === '' || needed.length === 0) return;
    const record = this.#registry.find('', 'v1', 'nodes')?.table.get(name);
    if (!record) throw forbid(attributes, `node "${name}" not found`);
    const { status } = record.object as unknown as Node;
    const missing = needed.filter((feature) => !status?.declaredFeatures?.includes(feature.name));
    if (missing.length === 0) return;
    const names = missing.map((feature) => feature.name).join(', ');
    throw forbid(
      attributes,
      `pod update requires features ${names} which are not available on node "${name}"`,
    );
  }
}

function specOf(pod: AdmissionAttributes['object']): PodSpec {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
  return pod?.['spec'] as PodSpec;
}
