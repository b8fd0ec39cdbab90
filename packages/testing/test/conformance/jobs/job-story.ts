import { test } from 'vitest';
import type { Server } from '../../../../apiserver/test/support/on-each-server.ts';
import { shownObject } from '../../support/shown.ts';
import { Story, type Watched } from '../../support/story.ts';

const batch = 'apis/batch/v1';
const core = 'api/v1';

/** Jobs. Pods show what becomes of their template. */
export const watchedJobs: Watched = {
  group: batch,
  resource: 'jobs',
  show: (job) => shownObject({ ...job, spec: undefined }),
};

/** Defines a test that tells a story, and compares it with what kube-controller-manager did. @param watched what it records, besides pods */
export function tellOn(server: Server, watched: readonly Watched[] = [watchedJobs]) {
  // The time of the embedded cluster passes for all of its stories; that of the real one should not pass for each.
  const define = server.name === 'embedded' ? test : test.concurrent;
  return (title: string, tell: (story: Story) => Promise<void>): void => {
    // oxlint-disable-next-line vitest/valid-title -- it is the title of a story
    define(title, async ({ expect }) => {
      const name = nameOf(title);
      const story = await Story.begin(server, name, watched);
      await tell(story);
      await expect(story.recorded()).toMatchFileSnapshot(`recorded/${name}.yaml`);
    });
  };
}

/** A title as the name of a file and of a namespace. */
function nameOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '');
}

const template = {
  spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'app' }] },
};

/** Creates a job whose pods run one container, called main. */
export function createJob(
  story: Story,
  name: string,
  spec: object = {},
  pod: object = {},
  metadata: object = {},
): Promise<any> {
  const podTemplate = { ...template, spec: { ...template.spec, ...pod } };
  const job = { metadata: { name, ...metadata }, spec: { template: podTemplate, ...spec } };
  return story.create('jobs', job, batch);
}

/** Changes the spec of a job. */
export function changeJob(story: Story, name: string, spec: object): Promise<any> {
  return story.patch('jobs', name, { spec }, batch);
}

export function deleteJob(story: Story, name: string, propagationPolicy: string): Promise<any> {
  return story.delete('jobs', name, { group: batch, propagationPolicy });
}

/** Pods that wait for a kubelet. Those of an indexed job are in the order of their indexes. */
export function pendingPods(story: Story): Promise<string[]> {
  return podNames(story, ({ status, metadata }) => status.phase === 'Pending' && !metadata.deletionTimestamp);
}

/** Pods that run. */
export function runningPods(story: Story): Promise<string[]> {
  return podNames(story, ({ status, metadata }) => status.phase === 'Running' && !metadata.deletionTimestamp);
}

/** The pods for which a predicate is true. */
export async function podNames(story: Story, wanted: (pod: any) => boolean): Promise<string[]> {
  return (await story.list('pods', core))
    .filter(wanted)
    .toSorted((a, b) => index(a) - index(b))
    .map(({ metadata }) => metadata.name);
}

/** Writes the status of pods, as a kubelet would. */
export async function writeStatus(story: Story, pods: readonly string[], status: object): Promise<void> {
  for (const pod of pods) await story.patch('pods', `${pod}/status`, { status }, core);
}

/** Binds pods to a node that does not exist: the server then lets them end gracefully. */
export async function bind(story: Story, pods: readonly string[]): Promise<void> {
  for (const pod of pods)
    await story.create(
      `pods/${pod}/binding`,
      { metadata: { name: pod }, target: { kind: 'Node', name: 'somewhere' } },
      core,
    );
}

/** Deletes pods gracefully. */
export async function deletePods(story: Story, pods: readonly string[]): Promise<void> {
  for (const pod of pods) await story.delete('pods', pod, { group: core });
}

/** Deletes pods at once, as a kubelet does when their containers have ended. */
export async function removePods(story: Story, pods: readonly string[]): Promise<void> {
  for (const pod of pods) await story.delete('pods', pod, { group: core, gracePeriodSeconds: 0 });
}

/** The time of the cluster a number of seconds ago, as Kubernetes writes it. */
export function secondsAgo(story: Story, seconds: number): string {
  const time = new Date(story.now().getTime() - seconds * 1000);
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** Whether a job has a condition. */
export function hasCondition(story: Story, name: string, type: string) {
  return async (): Promise<boolean> => {
    const { conditions = [] } = await statusOf(story, name);
    return conditions.some((condition: any) => condition.type === type && condition.status === 'True');
  };
}

/** Whether a number of pods wait for a kubelet. */
export function waiting(story: Story, count: number) {
  return async (): Promise<boolean> => (await pendingPods(story)).length === count;
}

/** Whether the status of a job has these values. */
export function hasStatus(story: Story, name: string, expected: Record<string, unknown>) {
  return async (): Promise<boolean> => {
    const status = await statusOf(story, name);
    return Object.entries(expected).every(([key, value]) => (status[key] ?? 0) === value);
  };
}

/** Whether a job and its pods are gone. */
export function isGone(story: Story, name: string) {
  return async (): Promise<boolean> =>
    (await jobOf(story, name)) === undefined && (await story.list('pods', core)).length === 0;
}

async function statusOf(story: Story, name: string): Promise<any> {
  return (await jobOf(story, name)).status;
}

async function jobOf(story: Story, name: string): Promise<any> {
  return (await story.list('jobs', batch)).find(({ metadata }) => metadata.name === name);
}

function index({ metadata }: any): number {
  return Number(metadata.annotations?.['batch.kubernetes.io/job-completion-index'] ?? 0);
}
