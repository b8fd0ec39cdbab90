import { setTimeout as delay } from 'node:timers/promises';
import type { ApiObject } from '../json/api-object.ts';
import { isObject } from '../json/json-object.ts';
import { asCrd } from '../crd/crd-types.ts';
import { type Connection, send } from './connection.ts';
import { loadCrds } from './load-manifests.ts';
import { TestEnvironmentError } from './test-environment-error.ts';
import { withoutServiceConversion } from './without-service-conversion.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Milliseconds until a definition has to be served, and between two looks. */
const patience = 10_000;
const pollInterval = 20;

/**
 * Reads definitions from files and directories and installs them. Where a Service converts between the versions of a kind,
 * only their `apiVersion` is changed: no Service can be reached.
 *
 * @returns the kinds that are served because of them, in every version
 * @throws {TestEnvironmentError} when a path is missing or holds no manifest, or the server refuses a definition
 */
export async function installCrdFiles(
  connection: Connection,
  paths: readonly string[],
): Promise<{ apiVersion: string; kind: string }[]> {
  const definitions = (await loadCrds(paths)).map(withoutServiceConversion);
  await installCrds(connection, definitions);
  return definitions.flatMap((definition) => {
    const { group, names, versions } = asCrd(definition).spec;
    const served = versions.filter((version) => version.served);
    return served.map(({ name }) => ({ apiVersion: `${group}/${name}`, kind: names.kind }));
  });
}

/**
 * Creates definitions and waits until each is established and its objects can be listed.
 *
 * @throws {TestEnvironmentError} when the server refuses one, or does not serve it in 10 s
 */
export async function installCrds(connection: Connection, crds: readonly ApiObject[]): Promise<void> {
  await Promise.all(
    crds.map(async (crd) => {
      await create(connection, definitionsPath, crd);
      await untilServed(connection, crd);
    }),
  );
}

/**
 * Creates objects, one after the other.
 *
 * @throws {TestEnvironmentError} when the server refuses one
 */
export async function createObjects(connection: Connection, objects: readonly ApiObject[]): Promise<void> {
  for (const object of objects) await create(connection, await collectionOf(connection, object), object);
}

async function create(connection: Connection, path: string, object: ApiObject): Promise<void> {
  const { code, body } = await send(connection, 'POST', path, object);
  if (code === 201) return;
  const message =
    isObject(body) && typeof body['message'] === 'string' ? body['message'] : `HTTP status ${code}`;
  throw new TestEnvironmentError(
    'OTS_CRD_INSTALL',
    `The API server refuses ${object.kind} ${JSON.stringify(object.metadata.name ?? '')}: ${message}.`,
    'Correct the object.',
  );
}

async function untilServed(connection: Connection, crd: ApiObject): Promise<void> {
  const deadline = Date.now() + patience;
  const name = crd.metadata.name ?? '';
  const paths = servedPaths(crd);
  while (!(await isServed(connection, name, paths))) {
    if (Date.now() > deadline) {
      throw new TestEnvironmentError(
        'OTS_CRD_INSTALL',
        `The CustomResourceDefinition ${name} was not served after ${patience / 1000} s.`,
        'Look at its status.conditions: its names may be in use by another definition.',
      );
    }
    await delay(pollInterval);
  }
}

async function isServed(connection: Connection, name: string, paths: readonly string[]): Promise<boolean> {
  const { body } = await send(connection, 'GET', `${definitionsPath}/${name}`);
  const status = isObject(body) && isObject(body['status']) ? body['status'] : {};
  const conditions = Array.isArray(status['conditions']) ? (status['conditions'] as unknown[]) : [];
  const isEstablished = conditions.some(
    (condition) =>
      isObject(condition) && condition['type'] === 'Established' && condition['status'] === 'True',
  );
  if (!isEstablished) return false;
  const answers = await Promise.all(paths.map((path) => send(connection, 'GET', path)));
  return answers.every(({ code }) => code === 200);
}

/** The server has accepted the definition: its spec is as it should be. */
function servedPaths(crd: ApiObject): string[] {
  const { group, names, versions } = asCrd(crd).spec;
  return versions.filter(({ served }) => served).map(({ name }) => `/apis/${group}/${name}/${names.plural}`);
}

/** Asks discovery for the plural of a kind. */
async function collectionOf(
  connection: Connection,
  { apiVersion, kind, metadata }: ApiObject,
): Promise<string> {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { body } = await send(connection, 'GET', root);
  const resources =
    isObject(body) && Array.isArray(body['resources']) ? (body['resources'] as unknown[]) : [];
  for (const resource of resources) {
    if (!isObject(resource) || resource['kind'] !== kind || String(resource['name']).includes('/')) continue;
    const plural = String(resource['name']);
    return resource['namespaced'] === true
      ? `${root}/namespaces/${metadata.namespace ?? 'default'}/${plural}`
      : `${root}/${plural}`;
  }
  throw new TestEnvironmentError(
    'OTS_CRD_INSTALL',
    `The API server does not serve the kind ${kind} of ${apiVersion}.`,
    "Add its CustomResourceDefinition to 'crds'.",
  );
}
