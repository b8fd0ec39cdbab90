import type { MutatingWebhookConfiguration } from 'ots-kubernetes/admissionregistration/v1';
import { type Kind, type UnstructuredObject, isApiError } from 'ots-runtime';
import { OtsError } from '../errors/ots-error.ts';
import { oneLine } from '../output/one-line.ts';
import { type Cluster, isDefinition, kindsOfDefinition } from './cluster.ts';
import { explainError } from './explain-error.ts';
import { groupOf } from './object-name.ts';
import { type Deadline, poll } from './poll.ts';
import type { Progress } from './progress.ts';

/** How to wait for webhooks. */
export interface WebhookOptions {
  /** Objects that the webhooks accept, to ask them about. Of kinds without one, an object with only a name is used. */
  readonly samples: readonly UnstructuredObject[];
  /** Of samples that do not name their own. */
  readonly namespace: string;
  readonly deadline: Deadline;
  readonly progress: Progress;
}

/**
 * Waits until the API server reaches the webhooks for the kinds of the definitions: until it can decide about the creation of an object
 * without creating it (`dryRun`). Whether it accepts the object does not matter.
 *
 * @throws OtsError `WEBHOOK_FAILED` with what the server says about the call, at the deadline
 */
export async function untilWebhooksAnswer(
  cluster: Cluster,
  objects: readonly UnstructuredObject[],
  { samples, namespace, deadline, progress }: WebhookOptions,
): Promise<void> {
  const rules = objects.flatMap(rulesOf);
  const kinds = objects
    .filter(isDefinition)
    .flatMap(kindsOfDefinition)
    .filter((kind) => rules.some((rule) => isAbout(rule, kind)));
  for (const kind of kinds) {
    const sample = samples.find((each) => each.apiVersion === kind.apiVersion && each.kind === kind.kind);
    const object = sample ?? emptyObject(kind);
    const place = kind.scope === 'Namespaced' ? { namespace: object.metadata.namespace ?? namespace } : {};
    let problem = '';
    const answered = await poll(cluster, deadline, async () => {
      const failure = await failureOf(cluster, kind, {
        ...object,
        metadata: { ...object.metadata, ...place },
      });
      if (failure === undefined) return true;
      problem = failure;
      progress.waiting(`the webhooks of ${kind.kind}: ${problem}`);
      return undefined;
    });
    if (answered) continue;
    throw new OtsError(
      'WEBHOOK_FAILED',
      `The webhooks of ${kind.kind} do not answer after ${String(deadline)}: ${oneLine(problem)}`,
      {
        hint: 'Check the log of the operator, its webhook Service, and that no network policy keeps the API server from it.',
      },
    );
  }
}

type Rule = NonNullable<NonNullable<MutatingWebhookConfiguration['webhooks']>[number]['rules']>[number];

function rulesOf(object: UnstructuredObject): readonly Rule[] {
  if (groupOf(object.apiVersion) !== 'admissionregistration.k8s.io') return [];
  const { webhooks = [] } = object as unknown as MutatingWebhookConfiguration;
  return webhooks.flatMap(({ rules = [] }) => rules);
}

function isAbout({ apiGroups, apiVersions, resources, operations }: Rule, kind: Kind): boolean {
  return (
    has(apiGroups, kind.group) &&
    has(apiVersions, kind.version) &&
    has(resources, kind.plural) &&
    has(operations, 'CREATE')
  );
}

function has(list: readonly string[] | undefined, value: string): boolean {
  return list?.some((each) => each === '*' || each === value) ?? false;
}

function emptyObject({ apiVersion, kind }: Kind): UnstructuredObject {
  return { apiVersion, kind, metadata: { name: 'ots-webhook-check' } };
}

/** What the server says about a call that failed; undefined if it decided about the object. */
async function failureOf(
  { client, signal }: Cluster,
  kind: Kind<UnstructuredObject>,
  object: UnstructuredObject,
): Promise<string | undefined> {
  try {
    await client.create(kind, object, { dryRun: true, signal });
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!isApiError(error)) throw explainError(error);
    return /failed calling webhook|conversion webhook for/.test(error.message) ? error.message : undefined;
  }
}
