import type { RuntimeClass as RuntimeClassObject } from 'ots-kubernetes/node/v1';
import { mergeTolerations } from '../../built-in/pods/merge-tolerations.ts';
import type { DecodedPod } from '../../built-in/pods/pod-strategy.ts';
import { sameSpec } from '../../built-in/pods/same-spec.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import { forbid } from '../forbid.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { ClusterClasses } from './cluster-classes.ts';
import { isPodWrite } from './is-pod-write.ts';

const mismatch = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/** Adds the overhead and the scheduling of a pod's runtime class. */
export class RuntimeClass implements AdmissionPlugin {
  readonly name = 'RuntimeClass';
  readonly #classes: ClusterClasses;

  constructor(registry: ResourceRegistry) {
    this.#classes = new ClusterClasses(registry);
  }

  handles(attributes: AdmissionAttributes): boolean {
    return isPodWrite(attributes) && attributes.operation === 'CREATE';
  }

  /** @throws {StatusError} 403 when the class does not exist, or the pod states something else */
  mutate(attributes: AdmissionAttributes): undefined {
    const { spec } = podOf(attributes);
    const found = this.#classOf(attributes);
    setOverhead(attributes, found);
    if (!found?.scheduling) return;
    const { nodeSelector = {}, tolerations = [] } = found.scheduling;
    for (const [key, value] of Object.entries(nodeSelector)) {
      const own = Object.hasOwn(spec.nodeSelector ?? {}, key) ? spec.nodeSelector?.[key] : value;
      if (own !== value) {
        throw forbid(
          attributes,
          `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
        );
      }
    }
    if (Object.keys(nodeSelector).length > 0) spec.nodeSelector = { ...spec.nodeSelector, ...nodeSelector };
    spec.tolerations = mergeTolerations([...(spec.tolerations ?? []), ...tolerations]);
  }

  /** @throws {StatusError} 403 when a pod has an overhead that its class does not state */
  validate(attributes: AdmissionAttributes): undefined {
    const { overhead } = podOf(attributes).spec;
    const found = this.#classOf(attributes);
    if (found?.overhead && !isSameOverhead(overhead, found.overhead.podFixed))
      throw forbid(attributes, mismatch);
    if (found?.overhead || overhead === undefined) return;
    throw forbid(
      attributes,
      'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    );
  }

  #classOf(attributes: AdmissionAttributes): Readonly<RuntimeClassObject> | undefined {
    const { runtimeClassName: name } = podOf(attributes).spec;
    if (name === undefined) return undefined;
    const found = this.#classes.runtime(name);
    if (!found) throw forbid(attributes, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
    return found;
  }
}

function setOverhead(attributes: AdmissionAttributes, found: Readonly<RuntimeClassObject> | undefined): void {
  if (!found?.overhead) return;
  const { podFixed } = found.overhead;
  const { spec } = podOf(attributes);
  if (Object.keys(spec.overhead ?? {}).length > 0 && !isSameOverhead(spec.overhead, podFixed))
    throw forbid(attributes, mismatch);
  if (podFixed) spec.overhead = { ...podFixed };
  else delete spec.overhead;
}

function podOf({ object }: AdmissionAttributes): DecodedPod {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
  return object as DecodedPod;
}

function isSameOverhead(one: object | undefined, other: object | undefined): boolean {
  return sameSpec({ overhead: one }, { overhead: other });
}
