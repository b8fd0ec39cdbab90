import { groupBy } from 'ots-apimachinery/group-by';
import type { RecordedRequest } from 'ots-apiserver';
import { inOrder } from '../../../apiserver/test/support/in-order.ts';
import type { Server } from '../../../apiserver/test/support/on-each-server.ts';
import { asRecorded } from '../../../apiserver/test/support/recorded.ts';
import { type Found, changesBetween } from './changes.ts';
import { shownBriefly, shownEvent, shownObject, shownPod, shownWrites } from './shown.ts';

/** A collection of objects whose states a story records. */
export interface Watched {
  /** The group and version as in paths, such as `apis/apps/v1`. */
  readonly group: string;
  /** The plural, such as `replicasets`. */
  readonly resource: string;
  /** What a story records of an object. Default: what {@link shownObject} leaves. */
  readonly show?: (object: any) => unknown;
  /** Whether its objects are in no namespace. Those of a story have names that start with its namespace. Default false. */
  readonly isClusterScoped?: boolean;
}

/** How a story records what its steps change instead of the states after them: as merge patches, and templates as their images. */
export interface ChangesForm {
  /** The name of a pod in the story: it must be the same each time. Default: its name. */
  readonly podKey?: (pod: any) => string;
  /** What the story shows of a pod. Default: {@link shownPod}. */
  readonly showPod?: (pod: any) => unknown;
  /** The reasons of events that the real controller repeats by chance: their counts are not shown. Default: none. */
  readonly uncounted?: readonly string[];
}

/** Controllers of these groups say which generation they have seen. */
const observing = new Set(['apis/apps/v1', 'apis/policy/v1']);
const pollMs = 20;
/**
 * How long nothing must change for a cluster to count as quiet: controllers wait for each other's watches, and that of jobs collects
 * changes for a second.
 */
const quietMs = 1500;
/** Where a test holds the time, everything that is due has happened when it has passed. */
const virtualPollMs = quietMs;

/**
 * What controllers do in a namespace, step by step: a test acts, the story waits until the cluster is quiet and records the objects,
 * the events and the writes of controllers.
 */
export class Story {
  readonly namespace: string;
  readonly #server: Server;
  readonly #watched: readonly Watched[];
  readonly #form: ChangesForm | undefined;
  readonly #steps: unknown[] = [];
  /** What the last step of a story of changes has found. */
  #before: Found = { objects: {}, events: [] };

  private constructor(server: Server, namespace: string, watched: readonly Watched[], form?: ChangesForm) {
    this.#server = server;
    this.namespace = namespace;
    this.#watched = watched;
    this.#form = form;
  }

  /**
   * Begins a story in a new namespace.
   *
   * @param watched the collections whose objects it records, besides pods
   * @param form Default: each step shows all that exists after it
   */
  static async begin(
    server: Server,
    namespace: string,
    watched: readonly Watched[],
    form?: ChangesForm,
  ): Promise<Story> {
    await accepted(server.session.post('/api/v1/namespaces', { metadata: { name: namespace } }));
    return new Story(server, namespace, watched, form);
  }

  /** The path of a collection: in the namespace of the story, if it is in one. */
  path(resource: string, group = 'apis/apps/v1'): string {
    return this.#isClusterScoped(resource)
      ? `/${group}/${resource}`
      : `/${group}/namespaces/${this.namespace}/${resource}`;
  }

  #isClusterScoped(resource: string): boolean {
    return this.#watched.some((watched) => watched.resource === resource && watched.isClusterScoped);
  }

  /**
   * Acts, waits until a state is reached and the cluster is quiet, and records the state.
   *
   * @param reached Default: as soon as the cluster is quiet
   */
  async step(
    title: string,
    act: () => Promise<unknown>,
    reached: () => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<void> {
    const { length: before } = await this.#requests();
    await act();
    const objects = await this.#quietObjects(reached);
    const found = this.#form ? this.#changes(objects, this.#form) : this.#recorded(objects);
    const writes = shownWrites((await this.#requests()).slice(before));
    this.#steps.push({ step: title, ...found, writes });
  }

  /** Waits until a state is reached and the cluster is quiet. @returns what is there then */
  async #quietObjects(reached: () => Promise<boolean>): Promise<any[][]> {
    let last = '';
    for (let changedAt = 0; ; await this.#poll()) {
      const objects = await this.#objects();
      const text = JSON.stringify(objects);
      const now = this.now().getTime();
      if (text !== last || !this.#isObserved(objects) || !(await reached())) changedAt = now;
      else if (now - changedAt >= quietMs) return objects;
      last = text;
    }
  }

  /** Waits until a condition holds. @param every how often to look, in milliseconds; by default often */
  async until(condition: () => Promise<boolean>, every?: number): Promise<void> {
    while (!(await condition())) await (every === undefined ? this.#poll() : this.#pass(every));
  }

  /** The time of the cluster. */
  now(): Date {
    const { clock } = this.#server.environment.config;
    return new Date(clock?.epoch() ?? Date.now());
  }

  async #poll(): Promise<void> {
    await this.#pass(this.#server.environment.config.clock ? virtualPollMs : pollMs);
  }

  /** Lets time pass: that of the cluster where a test holds it. */
  async #pass(milliseconds: number): Promise<void> {
    const { environment } = this.#server;
    if (environment.config.clock) await environment.advance(milliseconds);
    else await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  /** The steps as YAML, to compare with a file. */
  recorded(): string {
    return asRecorded(this.#steps);
  }

  /** The objects of a collection. */
  async list(resource: string, group?: string): Promise<any[]> {
    const { body } = await this.#server.session.get(this.path(resource, group));
    return this.#isClusterScoped(resource)
      ? body.items.filter(({ metadata }: any) => this.#isOwn(metadata))
      : body.items;
  }

  /** Whether the story is also about objects in no namespace. */
  get #isAboutCluster(): boolean {
    return this.#watched.some(({ isClusterScoped }) => isClusterScoped);
  }

  #isOwn({ name }: { name: string }): boolean {
    return name.startsWith(`${this.namespace}-`);
  }

  /** The events about objects of the story; those about objects in no namespace are in `default`. */
  async #events(): Promise<any[]> {
    const events = await this.list('events', 'api/v1');
    if (!this.#isAboutCluster) return events;
    const { body } = await this.#server.session.get('/api/v1/namespaces/default/events');
    return [...events, ...body.items.filter((event: any) => this.#isOwn(event.involvedObject))];
  }

  /** The pods that are not being deleted, in the order of their names. */
  async pods(): Promise<any[]> {
    return (await this.list('pods', 'api/v1')).filter(({ metadata }) => !metadata.deletionTimestamp);
  }

  /** Creates an object. */
  async create(resource: string, body: unknown, group?: string): Promise<any> {
    return accepted(this.#server.session.post(this.path(resource, group), body));
  }

  /** Changes an object with a merge patch. */
  async patch(resource: string, name: string, body: unknown, group?: string): Promise<any> {
    return accepted(this.#server.session.merge(`${this.path(resource, group)}/${name}`, body));
  }

  /** Deletes an object. */
  async delete(
    resource: string,
    name: string,
    { group, ...body }: { group?: string; [key: string]: unknown } = {},
  ): Promise<any> {
    return accepted(this.#server.session.delete(`${this.path(resource, group)}/${name}`, body));
  }

  /** Writes the status of a pod, as a kubelet would. */
  async report(
    pod: any,
    phase: string,
    conditions: Record<string, boolean> = {},
    since = this.now(),
  ): Promise<void> {
    const lastTransitionTime = `${since.toISOString().slice(0, 19)}Z`;
    const status = {
      phase,
      conditions: Object.entries(conditions).map(([type, value]) => ({
        type,
        status: value ? 'True' : 'False',
        lastTransitionTime,
      })),
    };
    await this.patch('pods', `${pod.metadata.name}/status`, { status }, 'api/v1');
    // Controllers react to each report, as in a cluster where pods become ready one after the other.
    await this.#pass(0);
  }

  /** Makes pods run and become ready. Default: all that are not being deleted. */
  async ready(pods?: readonly any[]): Promise<void> {
    for (const pod of pods ?? (await this.pods())) await this.report(pod, 'Running', { Ready: true });
  }

  /** Whether the controllers have seen the last change of all objects. */
  #isObserved(objects: readonly any[][]): boolean {
    return this.#watched.every(
      ({ group }, index) =>
        !observing.has(group) ||
        objects[index]!.every(
          ({ metadata: { generation }, status }) => !status || status.observedGeneration === generation,
        ),
    );
  }

  async #objects(): Promise<any[][]> {
    const collections = [...this.#watched, { group: 'api/v1', resource: 'pods' }];
    const listed = collections.map(({ resource, group }) => this.list(resource, group));
    return Promise.all([...listed, this.#events()]);
  }

  #recorded(all: readonly any[][]): object {
    const { watched, pods, events } = parts(all);
    return {
      objects: watched.flatMap((objects, index) =>
        inTextOrder(objects.map(this.#watched[index]!.show ?? shownObject)),
      ),
      pods: inTextOrder(pods.map(shownPod)),
      events: inTextOrder(events.map(shownEvent)),
    };
  }

  #changes(
    all: readonly any[][],
    { showPod = shownPod, podKey = nameOf, uncounted = [] }: ChangesForm,
  ): object {
    const { watched, pods, events } = parts(all);
    const objects = watched.flatMap((items, index) => {
      const { resource, show = shownBriefly } = this.#watched[index]!;
      return items.map((object): [string, unknown] => [`${resource} ${nameOf(object)}`, show(object)]);
    });
    const shownPods = pods.map((pod): [string, unknown] => [`pods ${podKey(pod)}`, showPod(pod)]);
    const counted = events.map((event) =>
      uncounted.includes(event.reason) ? { ...event, count: undefined } : event,
    );
    const found = {
      objects: byUniqueKey([...objects, ...shownPods]),
      events: inTextOrder(counted.map(shownEvent)),
    };
    const changes = changesBetween(this.#before, found);
    this.#before = found;
    return changes;
  }

  /** The requests about the namespace: stories that run at the same time share a server. */
  async #requests(): Promise<RecordedRequest[]> {
    const requests = await this.#server.environment.requests.all();
    return requests.filter(({ namespace, name }) =>
      namespace === '' ? this.#isAboutCluster && this.#isOwn({ name }) : namespace === this.namespace,
    );
  }
}

/** The objects that a story watches, and what it records besides. */
function parts(all: readonly any[][]): { watched: any[][]; pods: any[]; events: any[] } {
  const [pods = [], events = []] = all.slice(-2);
  return { watched: all.slice(0, -2), pods, events };
}

function nameOf({ metadata }: any): string {
  return metadata.name;
}

function byUniqueKey(entries: readonly [string, unknown][]): Record<string, unknown> {
  const byKey = new Map(entries);
  if (byKey.size < entries.length)
    throw new Error(`The keys are not unique: ${entries.map(([key]) => key).join(', ')}`);
  return inOrder(Object.fromEntries(byKey));
}

/** Random names leave no other order. Equal items are one with their number. */
function inTextOrder(items: readonly unknown[]): unknown[] {
  const groups = groupBy(items, (item) => JSON.stringify(inOrder(item)));
  return [...groups.keys()]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((text) => {
      const times = groups.get(text)!.length;
      return { ...(times > 1 && { times }), ...JSON.parse(text) };
    });
}

async function accepted(answer: Promise<{ code: number; body: any }>): Promise<any> {
  const { code, body } = await answer;
  if (code >= 300) throw new Error(`${code}: ${JSON.stringify(body)}`);
  return body;
}
