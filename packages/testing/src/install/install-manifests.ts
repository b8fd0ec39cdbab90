import {
  Collections,
  type Connection,
  InstallError,
  refusal,
  send,
  untilServed,
  withoutServiceConversion,
} from 'ots-apiserver';
import type { Manifest } from 'ots-apiserver/kustomize';
import { webhookHint } from 'ots-apimachinery/webhooks/webhook-hint';
import type { KubernetesObject } from 'ots-kubernetes';

/** How manifests are applied. */
export interface InstallOptions {
  /** Of namespaced objects that do not name their own, as with `kubectl apply -n`. Default `default`. */
  namespace?: string;
  /** Which objects are applied. Default all. */
  include?: (object: KubernetesObject) => boolean;
}

/** The owner of the fields that are applied. */
const fieldManager = 'ots-testing';
const definitionKind = 'CustomResourceDefinition';

/**
 * Applies the objects of a file, of the files of a directory, or of a directory with a kustomization: namespaces and definitions
 * first, admission last. A namespace that only other parts of the project create is created.
 *
 * @returns the objects as the server stored them, in the order in which they were applied
 * @throws {InstallError} when a file cannot be read, or the server refuses an object
 */
export async function installManifests(
  connection: Connection,
  fileOrDirectory: string,
  { namespace = 'default', include = () => true }: InstallOptions,
): Promise<KubernetesObject[]> {
  // Imported lazily: most tests install nothing.
  const { readObjects } = await import('ots-apiserver/kustomize');
  const manifests = (await readObjects(fileOrDirectory)).filter(({ object }) => include(object));
  const stages = stagesOf(manifests);
  const collections = new Collections(connection);
  const apply = (stage: readonly Manifest[]): Promise<KubernetesObject[]> =>
    Promise.all(stage.map((manifest) => applyManifest({ connection, collections, namespace }, manifest)));
  const namespaces = await apply(stages.namespaces);
  await createNamespaces(connection, [
    namespace,
    ...manifests.flatMap(({ object }) => object.metadata.namespace ?? []),
  ]);
  const definitions = await apply(stages.definitions);
  await Promise.all(stages.definitions.map(({ object }) => untilServed(connection, object)));
  return [...namespaces, ...definitions, ...(await apply(stages.others)), ...(await apply(stages.admission))];
}

type Stage = 'namespaces' | 'definitions' | 'others' | 'admission';

function stagesOf(manifests: readonly Manifest[]): Record<Stage, Manifest[]> {
  const stages: Record<Stage, Manifest[]> = { namespaces: [], definitions: [], others: [], admission: [] };
  for (const manifest of manifests) stages[stageOf(manifest)].push(manifest);
  return stages;
}

/** Admission is last, so it does not decide about the other objects. */
function stageOf({ object: { apiVersion, kind } }: Manifest): Stage {
  if (kind === 'Namespace') return 'namespaces';
  if (kind === definitionKind) return 'definitions';
  return apiVersion.startsWith('admissionregistration.k8s.io/') ? 'admission' : 'others';
}

/** Objects may be in a namespace that another part of the project creates, such as config/manager for config/rbac. */
async function createNamespaces(connection: Connection, names: readonly string[]): Promise<void> {
  for (const name of new Set(names)) {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    const answer = await send(connection, 'POST', '/api/v1/namespaces', namespace);
    if (answer.code !== 201 && answer.code !== 409)
      throw new InstallError('MANIFEST_INSTALL', refusal(namespace, answer), 'Correct the namespace.');
  }
}

async function applyManifest(
  {
    connection,
    collections,
    namespace,
  }: { connection: Connection; collections: Collections; namespace: string },
  { object, file, document }: Manifest,
): Promise<KubernetesObject> {
  const failed = (problem: string): InstallError =>
    new InstallError(
      'MANIFEST_INSTALL',
      `${file}, document ${document}: ${problem}`,
      webhookHint(problem) ?? hintFor(problem),
    );
  const body = object.kind === definitionKind ? withoutServiceConversion(object) : object;
  const { name } = body.metadata;
  if (name === undefined) throw failed(`${body.kind} has no metadata.name`);
  const collection = await collections.pathOf(body, namespace).catch((error: unknown) => {
    throw error instanceof InstallError ? failed(error.problem) : error;
  });
  const path = `${collection}/${encodeURIComponent(name)}?fieldManager=${fieldManager}&force=true`;
  const answer = await send(connection, 'PATCH', path, body, 'application/apply-patch+yaml');
  if (answer.code !== 200 && answer.code !== 201) throw failed(refusal(body, answer));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server responds with the object
  return answer.body as KubernetesObject;
}

function hintFor(problem: string): string {
  return problem.includes('admission webhook "')
    ? 'Correct the object, or the webhook that refuses it.'
    : 'Correct the object.';
}
