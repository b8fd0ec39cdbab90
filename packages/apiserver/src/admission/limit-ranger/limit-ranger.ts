import type { LimitRange, PersistentVolumeClaim, Pod, PodSpec } from 'ots-kubernetes/core/v1';
import { formatQuantity } from 'ots-apimachinery/quantity/amount';
import { sumOfContainers } from '../../built-in/pods/sum-of-containers.ts';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { forbid } from '../forbid.ts';
import { type Amounts, breachesOf, breachesOfClaim } from './constraints.ts';
import { setContainerDefaults } from './set-container-defaults.ts';

/** LimitRanger: defaults and bounds for the resources of containers, pods and claims, from the namespace's LimitRanges. */
export class LimitRanger implements AdmissionPlugin {
  readonly name = 'LimitRanger';
  readonly #registry: ResourceRegistry;

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  /** Containers of a stored pod change only by `resize`. */
  handles(attributes: AdmissionAttributes): boolean {
    const { operation, target } = attributes;
    if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
    const { resource, subresource } = target;
    if (resource.group !== '' || attributes.oldObject?.metadata.deletionTimestamp !== undefined) return false;
    if (resource.plural === 'persistentvolumeclaims') return subresource === '';
    if (resource.plural !== 'pods') return false;
    return subresource === '' ? operation === 'CREATE' : subresource === 'resize' && operation === 'UPDATE';
  }

  mutate({ target, object }: AdmissionAttributes): undefined {
    if (target.resource.plural !== 'pods') return;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
    for (const range of this.#rangesIn(target.namespace)) setContainerDefaults(object as Pod, range);
  }

  /** @throws {StatusError} 403 when the object breaks a bound */
  validate(attributes: AdmissionAttributes): undefined {
    const { target, object } = attributes;
    for (const range of this.#rangesIn(target.namespace)) {
      const breaches =
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
        target.resource.plural === 'pods' ? breachesOfPod(object as Pod, range) : breachesIn(object, range);
      const lines = [...new Set(breaches)];
      if (lines.length === 1) throw forbid(attributes, lines.join());
      if (lines.length > 1) throw forbid(attributes, `[${lines.join(', ')}]`);
    }
  }

  #rangesIn(namespace: string): LimitRange[] {
    const records = this.#registry.find('', 'v1', 'limitranges')?.table.list(`${namespace}/`) ?? [];
    return records.map(({ object }) => object as unknown as LimitRange);
  }
}

function breachesOfPod({ spec = { containers: [] } }: Pod, range: LimitRange): string[] {
  const { containers, initContainers = [] } = spec;
  return (range.spec?.limits ?? []).flatMap((item) => {
    if (item.type === 'Pod')
      return breachesOf(item, { requests: totalOf(spec, 'requests'), limits: totalOf(spec, 'limits') });
    if (item.type !== 'Container') return [];
    return [...containers, ...initContainers].flatMap(({ resources: { requests = {}, limits = {} } = {} }) =>
      breachesOf(item, { requests, limits }),
    );
  });
}

function breachesIn(claim: unknown, range: LimitRange): string[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
  const { spec } = claim as PersistentVolumeClaim;
  return (range.spec?.limits ?? [])
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap((item) => breachesOfClaim(item, spec?.resources?.requests ?? {}));
}

/** What a pod states for itself wins over the sum of its containers. */
function totalOf(spec: PodSpec, kind: 'requests' | 'limits'): Amounts {
  const sum = [...sumOfContainers(spec, kind)].map(([name, amount]) => [name, formatQuantity(amount)]);
  const { cpu, memory } = spec.resources?.[kind] ?? {};
  return {
    ...Object.fromEntries(sum),
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { memory }),
  };
}
