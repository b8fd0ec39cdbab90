import type { Quantity } from 'ots-kubernetes';
import type { Container, LimitRange, Pod } from 'ots-kubernetes/core/v1';
import type { Amounts } from './constraints.ts';

const annotation = 'kubernetes.io/limit-ranger';

/** Sets the resources that containers lack, and notes in an annotation which ones. Changes the pod. */
export function setContainerDefaults(pod: Pod, { spec: range }: LimitRange): void {
  const items = (range?.limits ?? []).filter(({ type }) => type === 'Container');
  const limits: Amounts = Object.assign({}, ...items.map((item) => item.default));
  const requests: Amounts = Object.assign({}, ...items.map((item) => item.defaultRequest));
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const notes = [
    ...containers.flatMap((container) => complete(container, 'container', requests, limits)),
    ...initContainers.flatMap((container) => complete(container, 'init container', requests, limits)),
  ];
  if (notes.length === 0) return;
  pod.metadata ??= {};
  const { annotations } = pod.metadata;
  pod.metadata.annotations = { ...annotations, [annotation]: `LimitRanger plugin set: ${notes.join('; ')}` };
}

/** @returns what was set */
function complete(container: Container, type: string, requests: Amounts, limits: Amounts): string[] {
  const { resources = {} } = container;
  const missingRequests = missing(resources.requests, requests);
  const missingLimits = missing(resources.limits, limits);
  const setRequests = Object.keys(missingRequests).toSorted().join(', ');
  const setLimits = Object.keys(missingLimits).toSorted().join(', ');
  if (setRequests !== '') resources.requests = { ...resources.requests, ...missingRequests };
  if (setLimits !== '') resources.limits = { ...resources.limits, ...missingLimits };
  container.resources = resources;
  return [
    ...(setRequests === '' ? [] : [`${setRequests} request for ${type} ${container.name}`]),
    ...(setLimits === '' ? [] : [`${setLimits} limit for ${type} ${container.name}`]),
  ];
}

function missing(amounts: Amounts = {}, defaults: Amounts): Record<string, Quantity> {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => !Object.hasOwn(amounts, name)));
}
