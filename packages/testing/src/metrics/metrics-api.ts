import type { Server } from 'node:https';
import type { RequestListener } from 'node:http';
import { parseLabelSelector } from 'ots-apimachinery/selectors/parse-label-selector';
import { labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { type Connection, send } from 'ots-apiserver';
import { serve } from '../services/test-services.ts';
import type { MeasuredPod, TestMetrics } from './test-metrics.ts';

const versions = {
  'metrics.k8s.io': 'v1beta1',
  'custom.metrics.k8s.io': 'v1beta2',
  'external.metrics.k8s.io': 'v1beta1',
};
const service = { namespace: 'kube-system', name: 'simulated-metrics' };
const pollMs = 100;

/** Serves the metrics of a test to a real control plane, through the aggregation of its kube-apiserver. */
export class MetricsApi {
  readonly #connection: Connection;
  readonly #metrics: TestMetrics;
  #server: Server | undefined;

  /** @param connection that of the administrator */
  constructor(connection: Connection, metrics: TestMetrics) {
    this.#connection = connection;
    this.#metrics = metrics;
  }

  /** Starts to serve, and returns when kube-apiserver does. */
  async publish(): Promise<void> {
    const { server, endpoint } = await serve(this.#handle);
    this.#server = server;
    const port = Number(new URL(endpoint.url).port);
    await this.#create('/api/v1/namespaces/kube-system/services', {
      metadata: { name: service.name },
      spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
    });
    for (const [group, version] of Object.entries(versions))
      await this.#create('/apis/apiregistration.k8s.io/v1/apiservices', {
        metadata: { name: `${version}.${group}` },
        spec: {
          group,
          version,
          service: { ...service, port },
          insecureSkipTLSVerify: true,
          groupPriorityMinimum: 100,
          versionPriority: 100,
        },
      });
    for (const [group, version] of Object.entries(versions))
      await this.#untilServed(`/apis/${group}/${version}`);
  }

  stop(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  async #create(path: string, body: object): Promise<void> {
    const { code, body: answer } = await send(this.#connection, 'POST', path, body);
    if (code >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  }

  async #untilServed(path: string): Promise<void> {
    while ((await send(this.#connection, 'GET', path)).code !== 200)
      await new Promise((resolve) => setTimeout(resolve, pollMs));
  }

  readonly #handle: RequestListener = (request, response) => {
    const answer = async (): Promise<void> => {
      const body = await this.#answer(new URL(request.url ?? '/', 'https://localhost'));
      const code = 'code' in body ? Number(body.code) : 200;
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    answer().catch((error: unknown) => response.writeHead(500).end(String(error)));
  };

  async #answer({ pathname, searchParams }: URL): Promise<object> {
    const [, , group = '', version = '', ...path] = pathname.split('/').map(decodeURIComponent);
    const groupVersion = `${group}/${version}`;
    if (path.length === 0) return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: [] };
    const query = (metric: string, parameter: string) => ({
      metric,
      selector: parseLabelSelector(searchParams.get(parameter) ?? ''),
    });
    const [, namespace = '', resource = '', name = '', metric = ''] = path;
    const pods = (): Promise<MeasuredPod[]> => this.#pods(namespace, searchParams.get('labelSelector') ?? '');
    if (group === 'metrics.k8s.io') return this.#usages(await pods());
    if (group === 'external.metrics.k8s.io')
      return this.#external(resource, this.#metrics.externalValues(query(resource, 'labelSelector')));
    const wanted = query(metric, 'metricLabelSelector');
    if (name === '*') {
      const values = (await pods()).flatMap((pod) => {
        const value = this.#metrics.valueOfPod(pod, wanted);
        return value === undefined ? [] : [{ kind: 'Pod', name: pod.metadata.name, value }];
      });
      return this.#custom(namespace, metric, values);
    }
    const kind = await this.#kindOf(resource);
    const value = this.#metrics.valueOfObject({ kind, name, namespace }, wanted);
    if (value !== undefined) return this.#custom(namespace, metric, [{ kind, name, value }]);
    const message = `the server could not find the metric ${metric} for ${resource} ${name}`;
    return { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404, message };
  }

  async #pods(namespace: string, selector: string): Promise<MeasuredPod[]> {
    const { body } = await send(this.#connection, 'GET', `/api/v1/namespaces/${namespace}/pods`);
    const matches = labelMatcher(parseLabelSelector(selector));
    const { items } = body as { items: MeasuredPod[] };
    return items.filter(({ metadata }) => matches(metadata.labels));
  }

  /** The kind of a resource with its group, such as `ingresses.networking.k8s.io`. */
  async #kindOf(resource: string): Promise<string> {
    const [plural = '', ...rest] = resource.split('.');
    const group = rest.join('.');
    const paths = group === '' ? ['/api/v1'] : await this.#versionsOf(group);
    for (const path of paths) {
      const { body } = await send(this.#connection, 'GET', path);
      const { resources = [] } = body as { resources?: { name: string; kind: string }[] };
      const found = resources.find(({ name }) => name === plural);
      if (found) return found.kind;
    }
    return '';
  }

  async #versionsOf(group: string): Promise<string[]> {
    const { body } = await send(this.#connection, 'GET', `/apis/${group}`);
    const { versions: known = [] } = body as { versions?: { groupVersion: string }[] };
    return known.map(({ groupVersion }) => `/apis/${groupVersion}`);
  }

  #usages(pods: readonly MeasuredPod[]): object {
    const items = pods.flatMap((pod) => {
      const usages = this.#metrics.usageOf(pod);
      if (!usages) return [];
      const { name, namespace } = pod.metadata;
      const containers = [...usages].map(([container, usage]) => ({ name: container, usage }));
      return [{ metadata: { name, namespace }, timestamp: now(), window: '0s', containers }];
    });
    return { kind: 'PodMetricsList', apiVersion: 'metrics.k8s.io/v1beta1', metadata: {}, items };
  }

  #custom(
    namespace: string,
    metric: string,
    values: readonly { kind: string; name?: string | undefined; value: string | number }[],
  ): object {
    const items = values.map(({ kind, name, value }) => ({
      describedObject: { kind, namespace, name },
      metric: { name: metric },
      timestamp: now(),
      windowSeconds: 0,
      value: String(value),
    }));
    return { kind: 'MetricValueList', apiVersion: 'custom.metrics.k8s.io/v1beta2', metadata: {}, items };
  }

  #external(metricName: string, values: readonly (string | number)[]): object {
    const items = values.map((value) => ({
      metricName,
      metricLabels: {},
      timestamp: now(),
      value: String(value),
    }));
    return {
      kind: 'ExternalMetricValueList',
      apiVersion: 'external.metrics.k8s.io/v1beta1',
      metadata: {},
      items,
    };
  }
}

function now(): string {
  return new Date().toISOString();
}
