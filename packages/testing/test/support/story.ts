import { groupBy } from 'ots-apimachinery/group-by';
import { inOrder } from '../../../apiserver/test/support/in-order.ts';
import type { Server } from '../../../apiserver/test/support/on-each-server.ts';
import { asRecorded } from '../../../apiserver/test/support/recorded.ts';
import { shownEvent, shownObject, shownPod, shownWrites } from './shown.ts';

/** A collection of objects whose states a story records. */
export interface Watched {
  /** The group and version as in paths, such as `apis/apps/v1`. */
  readonly group: string;
  /** The plural, such as `replicasets`. */
  readonly resource: string;
}

/** Controllers of these groups say which generation they have seen. */
const observing = new Set(['apis/apps/v1', 'apis/policy/v1']);
const pollMs = 20;
/** How long nothing must change for a cluster to count as quiet: controllers wait for each other's watches. */
const quietMs = 1000;

/**
 * What controllers do in a namespace, step by step: a test acts, the story waits until the cluster is quiet and records the objects,
 * the events and the writes of controllers.
 */
export class Story {
  readonly namespace: string;
  readonly #server: Server;
  readonly #watched: readonly Watched[];
  readonly #steps: unknown[] = [];

  private constructor(server: Server, namespace: string, watched: readonly Watched[]) {
    this.#server = server;
    this.namespace = namespace;
    this.#watched = watched;
  }

  /** Begins a story in a new namespace. @param watched the collections whose objects it records, besides pods */
  static async begin(server: Server, namespace: string, watched: readonly Watched[]): Promise<Story> {
    await accepted(server.session.post('/api/v1/namespaces', { metadata: { name: namespace } }));
    return new Story(server, namespace, watched);
  }

  /** The path of a collection in the namespace of the story. */
  path(resource: string, group = 'apis/apps/v1'): string {
    return `/${group}/namespaces/${this.namespace}/${resource}`;
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
    const { requests } = this.#server.environment;
    await requests.clear();
    await act();
    let last = '';
    for (let changedAt = this.now().getTime(); this.now().getTime() - changedAt < quietMs;) {
      const objects = await this.#objects();
      const now = JSON.stringify(objects);
      if (now !== last || !this.#isObserved(objects) || !(await reached())) changedAt = this.now().getTime();
      last = now;
      await this.#pass(pollMs);
    }
    this.#steps.push({ step: title, ...(await this.#recorded()) });
  }

  /** Waits until a condition holds. */
  async until(condition: () => Promise<boolean>): Promise<void> {
    while (!(await condition())) await this.#pass(pollMs);
  }

  /** The time of the cluster. */
  now(): Date {
    const { clock } = this.#server.environment.config;
    return new Date(clock?.epoch() ?? Date.now());
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
    return body.items;
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
    const core = 'api/v1';
    const collections = [
      ...this.#watched,
      { group: core, resource: 'pods' },
      { group: core, resource: 'events' },
    ];
    return Promise.all(collections.map(({ resource, group }) => this.list(resource, group)));
  }

  async #recorded(): Promise<object> {
    const all = await this.#objects();
    const [events, pods, ...watched] = all.toReversed() as [any[], any[], ...any[][]];
    const { requests } = this.#server.environment;
    return {
      objects: watched.toReversed().flatMap((objects) => inTextOrder(objects.map(shownObject))),
      pods: inTextOrder(pods.map(shownPod)),
      events: inTextOrder(events.map(shownEvent)),
      writes: shownWrites(await requests.all(), this.namespace),
    };
  }
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
