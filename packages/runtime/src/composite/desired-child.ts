import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { ApplyConfiguration } from '../client/content.ts';

/**
 * The desired state of a child: its `apiVersion`, `kind` and name, and the fields that the controller manages. Other
 * fields belong to the server and to others; fields that are no longer desired are removed.
 *
 * The namespace is that of the owner when absent. The owner reference and the label are added.
 */
export type DesiredChild<T extends KubernetesObject> = T extends unknown
  ? ApplyConfiguration<T> & Pick<Readonly<T>, 'apiVersion' | 'kind'>
  : never;

/** A desired child whose kind is known from elsewhere. */
export type AnyDesiredChild = ApplyConfiguration<KubernetesObject>;

/**
 * Creates a child of the kind: `desiredChild(ConfigMap, { metadata: { name: 'a' }, data: { … } })`. It adds `apiVersion`
 * and `kind`, which the compiler cannot infer in the result of a function.
 */
export function desiredChild<T extends KubernetesObject>(
  { apiVersion, kind }: Kind<T>,
  configuration: ApplyConfiguration<NoInfer<T>>,
): DesiredChild<T> {
  // The type distributes over unions, which the compiler does not resolve for an unknown T.
  return Object.assign({}, configuration, { apiVersion, kind }) as DesiredChild<T>;
}
