import { type Condition, type KubernetesObject, defineKind, type int32 } from 'ots-runtime';

/** MemcachedSpec is what is wanted of a Memcached. */
interface MemcachedSpec {
  /**
   * How many instances run.
   * @minimum 1
   * @maximum 5
   */
  size?: int32;
  /** The port that the container listens on. */
  containerPort?: int32;
}

/** MemcachedStatus is what is seen of a Memcached. */
interface MemcachedStatus {
  /** The names of the pods. */
  nodes?: string[];
  conditions?: Condition[];
}

/**
 * Memcached is a set of memcached servers.
 * @subresource status
 */
export interface Memcached extends KubernetesObject {
  apiVersion: 'cache.example.com/v1alpha1';
  kind: 'Memcached';
  spec?: MemcachedSpec;
  status?: MemcachedStatus;
}
export const Memcached = defineKind<Memcached>({
  apiVersion: 'cache.example.com/v1alpha1',
  kind: 'Memcached',
  plural: 'memcacheds',
  scope: 'Namespaced',
});
