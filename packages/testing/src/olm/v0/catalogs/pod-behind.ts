import { Pod, Service } from 'ots-kubernetes/core/v1';
import type { Cache, DeepReadonly } from 'ots-runtime';
import { isConditionTrue } from 'ots-runtime';
import { labelSelectorMatcher } from '../../../workloads/pods/label-selector-matcher.ts';

/**
 * The pod that answers at an address: `host:port`, where the host is the IP of a pod, or the name or IP of a Service. Only pods that are
 * ready answer.
 */
export function podBehind(cache: Cache, address: string): DeepReadonly<Pod> | undefined {
  const colon = address.lastIndexOf(':');
  const host = address.slice(0, colon).replaceAll(/[[\]]/g, '');
  const port = Number(address.slice(colon + 1));
  const ready = cache.list(Pod).filter(isReady);
  const pod = ready.find(({ status }) => status?.podIP === host);
  if (pod) return pod;
  const service = serviceOf(cache, host);
  const selector = service?.spec?.selector;
  if (!service || !selector || !service.spec?.ports?.some((each) => each.port === port)) return undefined;
  const selects = labelSelectorMatcher({ matchLabels: selector });
  return ready.find(
    (each) => each.metadata.namespace === service.metadata.namespace && selects(each.metadata.labels),
  );
}

function serviceOf(cache: Cache, host: string): DeepReadonly<Service> | undefined {
  const [name = '', namespace = '', svc = 'svc'] = host.split('.');
  if (svc === 'svc' && namespace !== '') {
    const named = cache.get(Service, { namespace, name });
    if (named) return named;
  }
  return cache.list(Service).find(({ spec }) => spec?.clusterIP === host);
}

function isReady({ metadata, status }: DeepReadonly<Pod>): boolean {
  return metadata.deletionTimestamp === undefined && isConditionTrue(status?.conditions, 'Ready');
}
