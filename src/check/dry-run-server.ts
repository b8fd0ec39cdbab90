import {
  type Answer,
  ApiServer,
  Collections,
  type Connection,
  InstallError,
  createObjects,
  send,
  untilServed,
  withoutServiceConversion,
} from 'ots-apiserver';
import type { KubernetesObject } from 'ots-kubernetes';
import { isData } from '../project/yaml/data.ts';
import { schemaToJson } from '../manifests/schema/schema-json.ts';
import type { CustomResourceDefinition } from '../manifests/crd/custom-resource-definition.ts';
import type { DeployedObject } from './deployed-object.ts';

/** An API server that says what it would do. */
export interface DryRunServer {
  /** The answer to a create that stores nothing; `unknown kind` if the server does not serve the kind. */
  create(object: KubernetesObject): Promise<Answer | 'unknown kind'>;
  stop(): Promise<void>;
}

type ApiObject = Parameters<typeof untilServed>[1];

const definitionKind = 'CustomResourceDefinition';

/**
 * Starts the embedded API server in this process, with the kinds and the policies of a project. Requests to it do not leave the process.
 *
 * @param crds those of the sources
 * @param deployed what the project deploys: of these objects, the server gets the policies, what they read, and definitions that are not generated
 */
export async function startDryRunServer(
  crds: readonly CustomResourceDefinition[],
  deployed: readonly DeployedObject[],
): Promise<DryRunServer> {
  const server = await ApiServer.start({ controllers: false });
  try {
    const connection: Connection = { ...server.connection, exchange: server.exchange.bind(server) };
    const objects = deployed.map(({ object }) => object);
    await createDefinitions(connection, crds, objects);
    await createPolicies(connection, objects);
    const collections = new Collections(connection);
    return { create: (object) => create(connection, collections, object), stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function createDefinitions(
  connection: Connection,
  crds: readonly CustomResourceDefinition[],
  objects: readonly KubernetesObject[],
): Promise<void> {
  const generated = new Set(crds.map(({ metadata }) => metadata.name));
  const others = objects.filter(
    ({ kind, metadata }) => kind === definitionKind && !generated.has(metadata.name ?? ''),
  );
  const definitions = [...crds.map(plainDefinition), ...others].map((crd) =>
    withoutServiceConversion(asJson(crd)),
  );
  for (const definition of definitions) {
    // One that the server refuses is reported by `ots manifests`, or by the server as a kind that it does not serve.
    const { code } = await send(
      connection,
      'POST',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      definition,
    );
    if (code === 201) await untilServed(connection, definition);
  }
}

/** With schemas as plain objects. */
function plainDefinition({ spec, ...crd }: CustomResourceDefinition): object {
  const toJson = schemaToJson();
  const versions = spec.versions.map(({ schema, ...version }) => ({
    ...version,
    schema: { openAPIV3Schema: toJson(schema.openAPIV3Schema) },
  }));
  return { ...crd, spec: { ...spec, versions } };
}

/** The parameters come first: without them, a policy refuses everything. */
async function createPolicies(connection: Connection, objects: readonly KubernetesObject[]): Promise<void> {
  const policies = objects.filter(({ kind }) =>
    /^(?:Validating|Mutating)AdmissionPolicy(?:Binding)?$/.test(kind),
  );
  if (policies.length === 0) return;
  const kinds = new Set(policies.flatMap((policy) => paramKindOf(policy) ?? []));
  const params = objects.filter((object) => kinds.has(`${object.apiVersion} ${object.kind}`));
  const namespaces = objects.filter(({ kind }) => kind === 'Namespace');
  for (const object of [...namespaces, ...params, ...policies])
    await createObjects(connection, [asJson(object) as KubernetesObject]).catch((error: unknown) => {
      // What the server refuses here, it refuses in a cluster: then it has no effect on samples.
      if (!(error instanceof InstallError)) throw error;
    });
}

function paramKindOf(policy: KubernetesObject): string | undefined {
  const { spec } = asJson(policy) as { spec?: unknown };
  const param = isData(spec) ? spec['paramKind'] : undefined;
  return isData(param) ? `${String(param['apiVersion'])} ${String(param['kind'])}` : undefined;
}

async function create(
  connection: Connection,
  collections: Collections,
  object: KubernetesObject,
): Promise<Answer | 'unknown kind'> {
  const { namespace } = object.metadata;
  if (namespace !== undefined)
    await send(connection, 'POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
  try {
    const collection = await collections.pathOf(asJson(object));
    return await send(connection, 'POST', `${collection}?dryRun=All&fieldValidation=Strict`, object);
  } catch (error) {
    if (error instanceof InstallError) return 'unknown kind';
    throw error;
  }
}

function asJson(object: object): ApiObject {
  return JSON.parse(JSON.stringify(object)) as ApiObject;
}
