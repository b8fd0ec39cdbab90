import { isDeepStrictEqual } from 'node:util';
import type { Deployment } from 'ots-kubernetes/apps/v1';
import type { EnvVar, PodSpec } from 'ots-kubernetes/core/v1';
import { type DeepReadonly, findCondition, ownerReference } from 'ots-runtime';
import type { ClusterServiceVersion, Subscription, SubscriptionConfig } from '../kinds.ts';
import { managed } from '../olm-user.ts';
import { hashOf } from '../../hash.ts';
import { mountCertificates } from '../../webhooks/certificates.ts';
import { ownerLabels } from '../plans/steps.ts';
import { thawed } from '../../thawed.ts';

const hashLabel = 'olm.deployment-spec-hash';

/** The Deployments of an operator, as its ClusterServiceVersion and its Subscription want them. */
export function deploymentsOf(
  csv: DeepReadonly<ClusterServiceVersion>,
  subscription: DeepReadonly<Subscription> | undefined,
): Deployment[] {
  return (csv.spec.install.spec?.deployments ?? []).map(({ name, label, spec: written }) => {
    const spec = thawed(written);
    const template = spec.template;
    template.metadata = {
      ...template.metadata,
      annotations: { ...template.metadata?.annotations, ...csv.metadata.annotations },
    };
    if (template.spec) configure(template.spec, csv, subscription?.spec.config);
    const webhooks = (csv.spec.webhookdefinitions ?? []).filter(
      ({ deploymentName }) => deploymentName === name,
    );
    if (webhooks.length > 0 && template.spec) mountCertificates(template.spec, name);
    spec.revisionHistoryLimit = 1;
    const { namespace = '' } = csv.metadata;
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name,
        namespace,
        labels: { ...label, ...managed, ...ownerLabels(csv), [hashLabel]: hashOf(spec) },
        ownerReferences: [{ ...ownerReference(csv), controller: false, blockOwnerDeletion: false }],
      },
      spec,
    };
  });
}

/** What an administrator writes into a Subscription changes all containers. */
function configure(
  pod: PodSpec,
  { metadata }: DeepReadonly<ClusterServiceVersion>,
  config: DeepReadonly<SubscriptionConfig> | undefined,
): void {
  const own: EnvVar[] = [
    ...thawed(config?.env ?? []),
    { name: 'OPERATOR_CONDITION_NAME', value: metadata.name! },
  ];
  const names = new Set(own.map(({ name }) => name));
  for (const container of pod.containers)
    container.env = [
      ...(container.env ?? []).filter(({ name }) => !names.has(name)),
      ...structuredClone(own),
    ];
  const { nodeSelector, tolerations, resources, envFrom, volumes, volumeMounts, affinity } = config ?? {};
  if (nodeSelector) pod.nodeSelector = thawed(nodeSelector);
  if (affinity) pod.affinity = thawed(affinity);
  if (tolerations) pod.tolerations = [...(pod.tolerations ?? []), ...thawed(tolerations)];
  if (volumes) pod.volumes = [...(pod.volumes ?? []), ...thawed(volumes)];
  for (const container of pod.containers) {
    if (resources) container.resources = thawed(resources);
    if (envFrom) container.envFrom = [...(container.envFrom ?? []), ...thawed(envFrom)];
    if (volumeMounts) container.volumeMounts = [...(container.volumeMounts ?? []), ...thawed(volumeMounts)];
  }
}

/** Why a Deployment is not ready. */
export interface DeploymentProblem {
  readonly message: string;
  /** `wait` may end by itself, `reinstall` needs another installation, and `failed` does not end. */
  readonly kind: 'wait' | 'reinstall' | 'failed';
}

/** The first problem of the Deployments of an operator, in the words of OLM; undefined if all are ready. */
export function deploymentProblem(
  wanted: readonly Deployment[],
  find: (name: string) => DeepReadonly<Deployment> | undefined,
): DeploymentProblem | undefined {
  for (const each of wanted) {
    const name = each.metadata.name!;
    const current = find(name);
    if (!current) return { kind: 'wait', message: `missing deployment with name=${name}` };
    const problem = statusProblem(current);
    if (problem) return problem;
    const annotations = current.spec?.template.metadata?.annotations ?? {};
    const expected = each.spec?.template.metadata?.annotations ?? {};
    for (const [key, value] of Object.entries(expected))
      if (annotations[key] !== value)
        return {
          kind: 'reinstall',
          message: `annotations on deployment does not contain expected key: ${key}`,
        };
    const [oldHash, newHash] = [current, each].map(({ metadata }) => metadata.labels?.[hashLabel]);
    if (!isDeepStrictEqual(oldHash, newHash))
      return { kind: 'reinstall', message: `deployment changed old hash=${oldHash}, new hash=${newHash}` };
  }
  return undefined;
}

function statusProblem({ metadata, status }: DeepReadonly<Deployment>): DeploymentProblem | undefined {
  const name = metadata.name!;
  const waiting = (message: string): DeploymentProblem => ({
    kind: 'wait',
    message: `waiting for deployment ${name} to become ready: ${message}`,
  });
  if ((metadata.generation ?? 0) > (status?.observedGeneration ?? 0))
    return waiting(`waiting for spec update of deployment "${name}" to be observed...`);
  if (findCondition(status?.conditions, 'Progressing')?.reason === 'ProgressDeadlineExceeded')
    return {
      kind: 'failed',
      message: `deployment ${name} not ready before timeout: deployment "${name}" exceeded its progress deadline`,
    };
  const outdated = (status?.replicas ?? 0) - (status?.updatedReplicas ?? 0);
  if (outdated > 0)
    return waiting(`deployment "${name}" waiting for ${outdated} outdated replica(s) to be terminated`);
  const available = findCondition(status?.conditions, 'Available');
  if (available?.status === 'True') return undefined;
  return waiting(
    `deployment "${name}" not available: ${available?.message ?? 'missing condition "Available"'}`,
  );
}
