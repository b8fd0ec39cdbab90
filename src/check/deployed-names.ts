import type { KubernetesObject } from 'ots-kubernetes';
import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import { isData } from '../project/yaml/data.ts';
import { podTemplateOf } from './pod-templates.ts';

/** Finds the objects of a build by their names and labels. */
export class DeployedNames {
  readonly #objects: readonly KubernetesObject[];
  readonly #byName: ReadonlyMap<string, KubernetesObject>;

  constructor(objects: readonly KubernetesObject[]) {
    this.#objects = objects;
    this.#byName = new Map(
      objects.map((object) => [
        keyOf(object.kind, object.metadata.name ?? '', object.metadata.namespace ?? ''),
        object,
      ]),
    );
  }

  /** @param namespace empty outside of namespaces */
  find(kind: string, name: string, namespace: string): KubernetesObject | undefined {
    return this.#byName.get(keyOf(kind, name, namespace));
  }

  has(kind: string, name: string, namespace: string): boolean {
    return this.find(kind, name, namespace) !== undefined;
  }

  /** Whether any object is in a namespace. */
  deploysTo(namespace: string): boolean {
    return this.#objects.some(({ metadata }) => metadata.namespace === namespace);
  }

  /** The names of the objects of a kind. */
  of(kind: string): string[] {
    return this.#objects.flatMap((object) => (object.kind === kind ? (object.metadata.name ?? []) : []));
  }

  /** Whether a Certificate of cert-manager makes the Secret. */
  isIssued(kind: string, name: string, namespace: string): boolean {
    return this.#objects.some((object) => {
      const { spec } = object as { spec?: unknown };
      return (
        kind === 'Secret' &&
        object.kind === 'Certificate' &&
        object.metadata.namespace === namespace &&
        isData(spec) &&
        spec['secretName'] === name
      );
    });
  }

  /** The pods in a namespace that labels select. */
  podsOf(namespace: string, selector: Readonly<Record<string, unknown>>): PodTemplateSpec[] {
    return this.#objects.flatMap((object) => {
      const template = object.metadata.namespace === namespace ? podTemplateOf(object)?.template : undefined;
      const labels = template?.metadata?.labels ?? {};
      return template && Object.entries(selector).every(([key, value]) => labels[key] === value)
        ? [template]
        : [];
    });
  }
}

function keyOf(kind: string, name: string, namespace: string): string {
  return `${kind}\0${namespace}\0${name}`;
}
