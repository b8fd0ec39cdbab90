import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from 'ots-kubernetes';
import type { ApiObject } from '../json/api-object.ts';
import { isObject } from '../json/json-object.ts';
import { asCrd } from '../crd/crd-types.ts';
import { type Answer, type Connection, send } from './connection.ts';
import { Collections } from './collections.ts';
import { InstallError } from './install-error.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** How long a definition may take until it is served, and the time between two looks. */
const maxWaitMs = 10_000;
const pollMs = 20;

/**
 * Creates definitions and waits until each is established and its objects can be listed.
 *
 * @param options.replace whether to replace definitions that exist. Default false: the server refuses those.
 * @returns the kinds that the server serves because of them, in every version
 * @throws {InstallError} when the server refuses one, or does not serve it within 10 s
 */
export async function installCrds(
  connection: Connection,
  crds: readonly ApiObject[],
  { replace = false }: { replace?: boolean } = {},
): Promise<{ apiVersion: string; kind: string }[]> {
  await Promise.all(
    crds.map(async (crd) => {
      if (!(replace && (await replaceExisting(connection, crd))))
        await create(connection, definitionsPath, crd);
      await untilServed(connection, crd);
    }),
  );
  return crds.flatMap((crd) => {
    const { group, names, versions } = asCrd(crd).spec;
    const served = versions.filter((version) => version.served);
    return served.map(({ name }) => ({ apiVersion: `${group}/${name}`, kind: names.kind }));
  });
}

/**
 * Creates objects one after the other.
 *
 * @throws {InstallError} when the server refuses one
 */
export async function createObjects(
  connection: Connection,
  objects: readonly KubernetesObject[],
): Promise<void> {
  const collections = new Collections(connection);
  for (const object of objects) {
    const created: ApiObject = { ...object };
    await create(connection, await collections.pathOf(created), created);
  }
}

async function create(connection: Connection, path: string, object: ApiObject): Promise<void> {
  const answer = await send(connection, 'POST', path, object);
  if (answer.code === 201) return;
  throw new InstallError('CRD_INSTALL', refusal(object, answer), 'Correct the object.');
}

/** @returns whether the definition exists and is replaced */
async function replaceExisting(connection: Connection, crd: ApiObject): Promise<boolean> {
  const path = `${definitionsPath}/${crd.metadata.name}`;
  const { code, body } = await send(connection, 'GET', path);
  if (code !== 200 || !isObject(body) || !isObject(body['metadata'])) return false;
  const { resourceVersion } = body['metadata'];
  const answer = await send(connection, 'PUT', path, {
    ...crd,
    metadata: { ...crd.metadata, resourceVersion },
  });
  if (answer.code === 200) return true;
  throw new InstallError('CRD_INSTALL', refusal(crd, answer), 'Correct the object.');
}

/** What a server that refuses an object says about it. */
export function refusal({ kind, metadata }: ApiObject, { code, body }: Answer): string {
  const message =
    isObject(body) && typeof body['message'] === 'string' ? body['message'] : `HTTP status ${code}`;
  return `The API server refuses ${kind} ${JSON.stringify(metadata.name ?? '')}: ${message}`;
}

/**
 * Waits until a definition is established and its objects can be listed.
 *
 * @throws {InstallError} after 10 s
 */
export async function untilServed(connection: Connection, crd: ApiObject): Promise<void> {
  const deadline = Date.now() + maxWaitMs;
  const name = crd.metadata.name ?? '';
  const paths = servedPaths(crd);
  while (!(await isServed(connection, name, paths))) {
    if (Date.now() > deadline) {
      throw new InstallError(
        'CRD_INSTALL',
        `The CustomResourceDefinition ${name} was not served after ${maxWaitMs / 1000} s`,
        'Look at its status.conditions: its names may be in use by another definition.',
      );
    }
    await delay(pollMs);
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

/** The paths of its objects. The server has accepted the definition, so its spec is valid. */
function servedPaths(crd: ApiObject): string[] {
  const { group, names, versions } = asCrd(crd).spec;
  return versions.filter(({ served }) => served).map(({ name }) => `/apis/${group}/${name}/${names.plural}`);
}
