import { isDns1035Label, isSubdomain } from 'ots-apimachinery/names';
import { InvalidKindError } from './invalid-kind-error.ts';
import type { KubernetesObject } from './kubernetes-object.ts';

/** A kind as a value: what a client needs to reach the objects of type `T`. */
export interface Kind<T extends KubernetesObject = KubernetesObject> {
  /** `group/version`, or the version alone for the core group. */
  readonly apiVersion: string;
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The name in URLs and in RBAC rules: lower case, plural. */
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** Carries `T` for the compiler; never set. */
  readonly __type?: T;
}

/** The options of {@link defineKind}. */
export interface KindDefinition<T extends KubernetesObject> {
  apiVersion: T['apiVersion'];
  kind: T['kind'];
  plural: string;
  scope: 'Namespaced' | 'Cluster';
}

const kindPattern = /^[A-Z][A-Za-z0-9]{0,62}$/;

/**
 * Defines a kind. The value is frozen and carries the type, so `client.get(JobWatcher, …)` knows its result type.
 *
 * @throws {InvalidKindError} when a name is not valid for a kind on any server
 */
export function defineKind<T extends KubernetesObject>(definition: KindDefinition<T>): Kind<T> {
  const { apiVersion, kind, plural, scope } = definition;
  // A caller without types may pass anything.
  const parts = typeof apiVersion === 'string' ? apiVersion.split('/') : [];
  const version = parts.at(-1) ?? '';
  const group = parts.length > 1 ? (parts[0] ?? '') : '';
  if (parts.length > 2 || !isDns1035Label(version) || (parts.length === 2 && !isSubdomain(group))) {
    throw new InvalidKindError(
      'apiVersion',
      apiVersion,
      "Write '<group>/<version>', such as 'batch.example.com/v1'.",
    );
  }
  if (!kindPattern.test(kind)) {
    throw new InvalidKindError(
      'kind',
      kind,
      "Write a name in PascalCase of at most 63 letters and digits, such as 'JobWatcher'.",
    );
  }
  if (!isDns1035Label(plural)) {
    throw new InvalidKindError(
      'plural',
      plural,
      "Write the plural in lower case, at most 63 characters, such as 'jobwatchers'.",
    );
  }
  if (scope !== 'Namespaced' && scope !== 'Cluster') {
    throw new InvalidKindError('scope', scope, "Write 'Namespaced' or 'Cluster'.");
  }
  return Object.freeze({ apiVersion, group, version, kind, plural, scope });
}
