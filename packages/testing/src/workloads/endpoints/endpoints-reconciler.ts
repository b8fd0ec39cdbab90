import { isDeepStrictEqual } from 'node:util';
import {
  type Client,
  type DeepReadonly,
  type Reconciler,
  type Request,
  isApiError,
  isNotFound,
} from 'ots-runtime';
import { Endpoints, Service } from 'ots-kubernetes/core/v1';
import type { EventSink } from '../event-sink.ts';
import { isNamespaceTerminating } from '../pods/pod-control.ts';
import type { WorkloadContext } from '../workload-context.ts';
import { endpointSubsets } from './endpoint-subsets.ts';
import { headlessLabel } from './new-slice.ts';
import {
  type CachedService,
  hasManagedEndpoints,
  isHeadless,
  isReachable,
  podsOfService,
} from './service-pods.ts';
import { TriggerTimes, withTriggerTime } from './trigger-times.ts';

const name = 'endpoint-controller';
const managedByLabel = 'endpoints.kubernetes.io/managed-by';

/** Writes the Endpoints of a Service. */
export class EndpointsReconciler implements Reconciler {
  readonly #context: WorkloadContext;
  readonly #client: Client;
  readonly #events: EventSink;
  readonly #times = new TriggerTimes();

  constructor(context: WorkloadContext) {
    this.#context = context;
    this.#client = context.clientOf(name);
    this.#events = context.eventsOf(name);
  }

  async reconcile(request: Request): Promise<void> {
    const key = { name: request.name, namespace: request.namespace };
    const { cache } = this.#context.manager;
    const service = cache.get(Service, key);
    if (!service) return this.#forget(request);
    if (!hasManagedEndpoints(service)) return;
    const pods = podsOfService(cache, service);
    const time = this.#times.next(service, pods);
    const publishesAll = service.spec?.publishNotReadyAddresses === true;
    const included = pods.filter(
      (pod) => isReachable(pod) && (publishesAll || !pod.metadata.deletionTimestamp),
    );
    const subsets = endpointSubsets(service, included);
    const stored = cache.get(Endpoints, key);
    if (stored && isDeepStrictEqual(stored.subsets ?? [], subsets) && hasLabelsOf(service, stored)) return;
    const annotations = withTriggerTime(stored?.metadata.annotations, time);
    const metadata = {
      ...(stored?.metadata ?? { name: request.name, namespace: request.namespace! }),
      labels: labelsOf(service),
      annotations,
    };
    await this.#write({ apiVersion: 'v1', kind: 'Endpoints', metadata, subsets }, stored !== undefined);
  }

  async #forget({ name: service, namespace }: Request): Promise<void> {
    this.#times.forget(`${namespace}/${service}`);
    try {
      await this.#client.delete(Endpoints, { name: service, namespace });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #write(endpoints: DeepReadonly<Endpoints>, exists: boolean): Promise<void> {
    const { namespace, name: service } = endpoints.metadata;
    try {
      await (exists ? this.#client.update(Endpoints, endpoints) : this.#client.create(Endpoints, endpoints));
    } catch (error) {
      if (!isApiError(error) || isNamespaceTerminating(error)) throw error;
      const [reason, message]: [string, string] = exists
        ? ['FailedToUpdateEndpoint', `Failed to update endpoint ${namespace}/${service}: ${error.message}`]
        : [
            'FailedToCreateEndpoint',
            `Failed to create endpoint for service ${namespace}/${service}: ${error.message}`,
          ];
      this.#events.record(endpoints, 'Warning', reason, message);
      throw error;
    }
  }
}

function labelsOf(service: CachedService): Record<string, string> {
  const { [headlessLabel]: _, ...labels } = service.metadata.labels ?? {};
  return { ...labels, ...(isHeadless(service) && { [headlessLabel]: '' }), [managedByLabel]: name };
}

/** Whether Endpoints have the labels of their Service. A Service that becomes headless is no reason to write them. */
function hasLabelsOf({ metadata }: CachedService, endpoints: DeepReadonly<Endpoints>): boolean {
  const { [headlessLabel]: _, [managedByLabel]: managedBy, ...labels } = endpoints.metadata.labels ?? {};
  return managedBy === name && isDeepStrictEqual(labels, { ...metadata.labels });
}
