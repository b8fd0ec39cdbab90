import { type Check, containers, containersWhere, settersOf } from '../check.ts';

export const runAsNonRoot: Check = (pod) => {
  const ofPod = pod.spec.securityContext?.runAsNonRoot;
  const refusing = containersWhere(pod, (context) => context.runAsNonRoot === false);
  const reason = 'runAsNonRoot != true';
  if (ofPod === false || refusing.length > 0) {
    const setters = settersOf(ofPod === false, refusing);
    return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  }
  const silent = containersWhere(pod, (context) => context.runAsNonRoot === undefined);
  if (ofPod || silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containers(silent)} must set securityContext.runAsNonRoot=true` };
};

export const runAsUser: Check = (pod) => {
  const isSetByPod = pod.spec.securityContext?.runAsUser === 0;
  const names = containersWhere(pod, (context) => context.runAsUser === 0);
  if (!isSetByPod && names.length === 0) return undefined;
  return { reason: 'runAsUser=0', detail: `${settersOf(isSetByPod, names)} must not set runAsUser=0` };
};
