import type { Ingress } from 'ots-kubernetes/networking/v1';
import { newestDefault } from '../built-in/newest-default.ts';
import type { AdmissionAttributes } from '../registry/admission.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { AdmissionPlugin } from './plugin.ts';

const group = 'networking.k8s.io';
const defaultAnnotation = 'ingressclass.kubernetes.io/is-default-class';
const oldAnnotation = 'kubernetes.io/ingress.class';

/** DefaultIngressClass: an Ingress that names no class gets the default one. */
export class DefaultIngressClass implements AdmissionPlugin {
  readonly name = 'DefaultIngressClass';
  readonly #registry: ResourceRegistry;

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  handles({ operation, target: { resource, subresource } }: AdmissionAttributes): boolean {
    return (
      operation === 'CREATE' &&
      subresource === '' &&
      resource.group === group &&
      resource.plural === 'ingresses'
    );
  }

  mutate({ object }: AdmissionAttributes): undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
    const { metadata, spec } = object as unknown as Ingress;
    const { annotations = {} } = metadata ?? {};
    if (!spec || spec.ingressClassName !== undefined || Object.hasOwn(annotations, oldAnnotation)) return;
    const classes = this.#registry.find(group, 'v1', 'ingressclasses')?.table.list() ?? [];
    const byDefault = newestDefault(classes, [defaultAnnotation]);
    if (byDefault !== undefined) spec.ingressClassName = byDefault;
  }
}
