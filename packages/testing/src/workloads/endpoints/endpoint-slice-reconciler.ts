import { groupBy } from 'ots-apimachinery/group-by';
import { type Client, type Reconciler, type Request, isApiError } from 'ots-runtime';
import { Node, Service } from 'ots-kubernetes/core/v1';
import { type EndpointPort, EndpointSlice } from 'ots-kubernetes/discovery/v1';
import { protobufMessage } from 'ots-kubernetes/protobuf-messages';
import type { EventSink } from '../event-sink.ts';
import { isNamespaceTerminating } from '../pods/pod-control.ts';
import type { CachedPod } from '../pods/pod-state.ts';
import { NotYetError } from '../retry-refusals.ts';
import type { WorkloadContext } from '../workload-context.ts';
import { endpointPorts } from './endpoint-ports.ts';
import { inHashOrder } from './go-order.ts';
import {
  type Slice,
  hasLabelsOf,
  isManagedSlice,
  newSlice,
  serviceNameLabel,
  sliceLabels,
} from './new-slice.ts';
import { type SlicePlan, planSlices } from './plan-slices.ts';
import { podEndpoint } from './pod-endpoint.ts';
import { placeholderOr, reuseDeleted } from './settle-plan.ts';
import { type CachedService, hasManagedEndpoints, isReachable, podsOfService } from './service-pods.ts';
import { TriggerTimes, withTriggerTime } from './trigger-times.ts';

const controller = 'endpointslice-controller';

/** Writes the EndpointSlices of a Service. */
export class EndpointSliceReconciler implements Reconciler {
  readonly #context: WorkloadContext;
  readonly #client: Client;
  readonly #events: EventSink;
  readonly #times = new TriggerTimes();

  constructor(context: WorkloadContext) {
    this.#context = context;
    this.#client = context.clientOf(controller);
    this.#events = context.eventsOf(controller, 'endpoint-slice-controller');
  }

  async reconcile(request: Request): Promise<void> {
    const { cache } = this.#context.manager;
    const service = cache.get(Service, { name: request.name, namespace: request.namespace });
    // The garbage collector deletes the slices of a Service that is gone.
    if (!service) this.#times.forget(`${request.namespace}/${request.name}`);
    if (!service || !hasManagedEndpoints(service)) return;
    const pods = podsOfService(cache, service);
    const time = this.#times.next(service, pods);
    try {
      await this.#write(service, pods.filter(isReachable), time);
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      if (isApiError(error) || error instanceof NotYetError) {
        const { namespace } = service.metadata;
        const message = `Error updating Endpoint Slices for Service ${namespace}/${request.name}: ${error.message}`;
        this.#events.record(service, 'Warning', 'FailedToUpdateEndpointSlices', message);
      }
      throw error;
    }
  }

  async #write(service: CachedService, pods: readonly CachedPod[], time: string | undefined): Promise<void> {
    const slices = this.#slicesOf(service);
    const types = (service.spec?.ipFamilies ?? ['IPv4']) as Slice['addressType'][];
    const missing = service.spec?.publishNotReadyAddresses ? [] : pods.filter((pod) => !this.#nodeOf(pod));
    for (const type of types) {
      const own = slices.filter(({ addressType }) => addressType === type);
      const scheduled = pods.filter((pod) => !missing.includes(pod));
      await this.#apply(service, this.#plan(service, type, own, scheduled), time);
    }
    for (const { metadata, addressType } of slices)
      if (!types.includes(addressType))
        await this.#client.delete(EndpointSlice, metadata as Required<typeof metadata>);
    if (missing.length > 0) throw new NotYetError(missingNodes(service, missing));
  }

  #slicesOf({ metadata: { name: service, namespace } }: CachedService): Slice[] {
    return this.#context.manager.cache
      .list(EndpointSlice, { namespace, labelSelector: { matchLabels: { [serviceNameLabel]: service! } } })
      .filter((slice) => isManagedSlice(slice) && slice.metadata.deletionTimestamp === undefined)
      .toSorted((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1));
  }

  #nodeOf({ spec }: CachedPod) {
    return this.#context.manager.cache.get(Node, { name: spec?.nodeName ?? '' });
  }

  #plan(
    service: CachedService,
    type: Slice['addressType'],
    slices: readonly Slice[],
    pods: readonly CachedPod[],
  ): SlicePlan {
    const isOwned = ({ metadata }: Slice) =>
      metadata.ownerReferences?.some(({ uid }) => uid === service.metadata.uid) ?? false;
    const slicesByPorts = groupBy(slices.filter(isOwned), ({ ports }) => portsKey(ports ?? []));
    const podsByPorts = groupBy(pods, (pod) => portsKey(endpointPorts(service, pod)));
    const plans = [...podsByPorts].map(([key, behind]) =>
      planSlices(slicesByPorts.get(key) ?? [], {
        endpoints: behind
          .map((pod) => podEndpoint(pod, this.#nodeOf(pod), service, type))
          .filter(({ addresses }) => addresses.length > 0),
        labels: sliceLabels(service),
        hasLabels: (slice) => hasLabelsOf(service, slice),
        empty: () => newSlice(service, type, JSON.parse(key) as EndpointPort[]),
      }),
    );
    const foreign = slices.filter((slice) => !isOwned(slice));
    const unused = [...slicesByPorts].flatMap(([key, of]) => (podsByPorts.has(key) ? [] : of));
    const plan = {
      create: plans.flatMap(({ create }) => create),
      update: plans.flatMap(({ update }) => update),
      delete: [...foreign, ...plans.flatMap((of) => of.delete), ...unused],
    };
    return reuseDeleted(placeholderOr(plan, slices, newSlice(service, type, [])), isOwned);
  }

  async #apply(service: CachedService, plan: SlicePlan, time: string | undefined): Promise<void> {
    const timed = (slice: Slice): Slice => ({
      ...slice,
      metadata: { ...slice.metadata, annotations: withTriggerTime(slice.metadata.annotations, time) },
    });
    if (service.metadata.deletionTimestamp === undefined)
      for (const slice of plan.create) await this.#client.create(EndpointSlice, timed(slice));
    for (const slice of plan.update) await this.#client.update(EndpointSlice, timed(slice));
    for (const { metadata } of plan.delete)
      await this.#client.delete(EndpointSlice, { name: metadata.name!, namespace: metadata.namespace });
  }
}

/** The ports of a slice in the order of Kubernetes, as text. */
function portsKey(ports: readonly EndpointPort[]): string {
  const message = protobufMessage('discovery.k8s.io/v1', 'EndpointSlice')?.fields.find(
    (field) => field.name === 'ports',
  )?.type;
  if (typeof message !== 'object') throw new Error('the table of messages has no EndpointSlices');
  const whole = ports.map(({ name: port = '', ...rest }) => ({ name: port, ...rest }));
  const sorted = inHashOrder(message, whole);
  return JSON.stringify(
    sorted.map(({ name, port, protocol, appProtocol }) => ({ name, port, protocol, appProtocol })),
  );
}

function missingNodes({ metadata }: CachedService, pods: readonly CachedPod[]): string {
  const lines = pods.map(
    (pod) =>
      `skipping Pod ${pod.metadata.name} for Service ${metadata.namespace}/${metadata.name}: Node ${pod.spec?.nodeName ?? ''} Not Found`,
  );
  return lines.length === 1 ? lines[0]! : `[${lines.join(', ')}]`;
}
