import {
  type Check,
  containers,
  containersOf,
  containersWhere,
  distinct,
  quoted,
  settersOf,
} from '../check.ts';

export const privileged: Check = (pod) => {
  const names = containersWhere(pod, (context) => context.privileged === true);
  if (names.length === 0) return undefined;
  return {
    reason: 'privileged',
    detail: `${containers(names)} must not set securityContext.privileged=true`,
  };
};

export const allowPrivilegeEscalation: Check = (pod) => {
  const names = containersWhere(pod, (context) => context.allowPrivilegeEscalation !== false);
  if (names.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containers(names)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

/** Windows containers with the rights of processes of the node. */
export const windowsHostProcess: Check = (pod) => {
  const isSetByPod = pod.spec.securityContext?.windowsOptions?.hostProcess === true;
  const names = containersWhere(pod, (context) => context.windowsOptions?.hostProcess === true);
  if (!isSetByPod && names.length === 0) return undefined;
  return {
    reason: 'hostProcess',
    detail: `${settersOf(isSetByPod, names)} must not set securityContext.windowsOptions.hostProcess=true`,
  };
};

export const procMount: Check = (pod) => {
  const names = containersWhere(pod, (context) => (context.procMount ?? 'Default') !== 'Default');
  if (names.length === 0) return undefined;
  const types = containersOf(pod).map(({ securityContext }) => securityContext?.procMount ?? 'Default');
  const bad = distinct(types.filter((type) => type !== 'Default'));
  return {
    reason: 'procMount',
    detail: `${containers(names)} must not set securityContext.procMount to ${quoted(bad)}`,
  };
};
