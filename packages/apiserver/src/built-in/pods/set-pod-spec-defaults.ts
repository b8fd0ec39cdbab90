import type {
  Container,
  EphemeralContainer,
  HTTPGetAction,
  PodSpec,
  Probe,
  ResourceRequirements,
} from 'ots-kubernetes/core/v1';
import { containersOf } from './containers-of.ts';
import { setVolumeDefaults } from './set-volume-defaults.ts';
import { roundResources } from './round-resources.ts';
import { pullPolicyOf } from './image-tag.ts';

/**
 * Sets the defaults that pods and pod templates share, besides those of the schema. Those of pods only are in
 * `setPodDefaults`.
 *
 * @param spec the spec to change
 */
export function setPodSpecDefaults(spec: PodSpec): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= 'default-scheduler';
  keepServiceAccount(spec);
  for (const volume of spec.volumes ?? []) setVolumeDefaults(volume);
  for (const { container } of containersOf(spec)) setContainerDefaults(container);
  roundResources(spec.overhead);
  roundRequirements(spec.resources);
}

/** `serviceAccount` is the old name of `serviceAccountName`: the new one wins, and both are set. */
function keepServiceAccount(spec: PodSpec): void {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (name === undefined) return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

function setContainerDefaults(container: Container | EphemeralContainer): void {
  container.imagePullPolicy ||= pullPolicyOf(container.image ?? '');
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  for (const { valueFrom } of container.env ?? [])
    if (valueFrom?.fieldRef) valueFrom.fieldRef.apiVersion ||= 'v1';
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  for (const probe of [livenessProbe, readinessProbe, startupProbe]) if (probe) setProbeDefaults(probe);
  for (const handler of [lifecycle?.postStart, lifecycle?.preStop]) setHttpDefaults(handler?.httpGet);
  roundRequirements(container.resources);
}

function setProbeDefaults(probe: Probe): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  setHttpDefaults(probe.httpGet);
}

function setHttpDefaults(action: HTTPGetAction | undefined): void {
  if (!action) return;
  action.path ||= '/';
  action.scheme ||= 'HTTP';
}

function roundRequirements(requirements: ResourceRequirements | undefined): void {
  roundResources(requirements?.limits);
  roundResources(requirements?.requests);
}
