/**
 * The kinds that a bundle of type registry+v1 can have, and whether OLM sets the namespace of their objects. Source: operator-registry;
 * it counts VerticalPodAutoscalers as not namespaced.
 */
export const namespacedByKind: ReadonlyMap<string, boolean> = new Map([
  ['ClusterRole', false],
  ['ClusterRoleBinding', false],
  ['ClusterServiceVersion', true],
  ['ConfigMap', true],
  ['ConsoleCLIDownload', false],
  ['ConsoleLink', false],
  ['ConsolePlugin', false],
  ['ConsoleQuickStart', false],
  ['ConsoleYAMLSample', false],
  ['CustomResourceDefinition', false],
  ['NetworkPolicy', true],
  ['PodDisruptionBudget', true],
  ['PodMonitor', true],
  ['PriorityClass', false],
  ['PrometheusRule', true],
  ['Role', true],
  ['RoleBinding', true],
  ['Secret', true],
  ['Service', true],
  ['ServiceAccount', true],
  ['ServiceMonitor', true],
  ['VerticalPodAutoscaler', false],
]);
