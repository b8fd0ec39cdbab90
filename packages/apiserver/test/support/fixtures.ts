import type { JSONSchemaProps } from 'ots-kubernetes/apiextensions/v1';
import type { Session } from './session.ts';

export const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const configMaps = '/api/v1/namespaces/default/configmaps';

/** A definition with one version and a status subresource, whose `spec` has the given properties. */
export function crdOf(kind: string, properties: Record<string, JSONSchemaProps>): any {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.conformance.example.com` },
    spec: {
      group: 'conformance.example.com',
      names: { plural, kind },
      scope: 'Namespaced',
      versions: [versionOf('v1', true, properties)],
    },
  };
}

/** One version of a definition. */
export function versionOf(name: string, storage: boolean, properties: Record<string, JSONSchemaProps>): any {
  const status: JSONSchemaProps = { type: 'object', properties: { ready: { type: 'boolean' } } };
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties }, status } };
  return { name, served: true, storage, subresources: { status: {} }, schema: { openAPIV3Schema } };
}

/** The collection path of the objects of {@link crdOf}. */
export function pathOf(kind: string, version = 'v1'): string {
  return `/apis/conformance.example.com/${version}/namespaces/default/${kind.toLowerCase()}s`;
}

/** An object of {@link crdOf}. */
export function objectOf(kind: string, name: string, spec: unknown, version = 'v1'): any {
  return { apiVersion: `conformance.example.com/${version}`, kind, metadata: { name }, spec };
}

/** Creates a definition and waits until the server serves every version. */
export async function installCrd(session: Session, crd: any): Promise<void> {
  const { code, body } = await session.post(crdsPath, crd);
  if (code !== 201) throw new Error(JSON.stringify(body));
  await until(async () => {
    const conditions = (await session.get(`${crdsPath}/${crd.metadata.name}`)).body.status?.conditions ?? [];
    if (!conditions.some(({ type, status }: any) => type === 'Established' && status === 'True'))
      return false;
    const { group, names, versions } = crd.spec;
    const paths = versions
      .filter(({ served }: any) => served)
      .map(({ name }: any) => `/apis/${group}/${name}/${names.plural}`);
    const codes = await Promise.all(paths.map(async (path: string) => (await session.get(path)).code));
    return codes.every((served) => served === 200);
  });
}

/** Polls until a condition is true. If it never is, the test times out. */
export async function until(probe: () => Promise<boolean>): Promise<void> {
  while (!(await probe())) await new Promise((resolve) => setTimeout(resolve, 20));
}
