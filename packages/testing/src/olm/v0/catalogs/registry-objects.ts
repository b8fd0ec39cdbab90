import { Pod, Service, ServiceAccount } from 'ots-kubernetes/core/v1';
import { type Client, type DeepReadonly, controllerReference, isAlreadyExists } from 'ots-runtime';
import type { CatalogSource } from '../kinds.ts';
import { managed } from '../olm-user.ts';

/** The port on which catalogs are served. */
export const catalogPort = 50_051;
/** Which CatalogSource a pod belongs to. */
export const catalogLabel = 'olm.catalogSource';

/** The name of the Service of a CatalogSource. */
export const serviceNameOf = (source: DeepReadonly<CatalogSource>): string =>
  source.metadata.name!.replaceAll('.', '-');

/** Creates what serves the image of a CatalogSource: a ServiceAccount, a Service and a pod. What exists stays. */
export async function ensureRegistry(
  client: Client,
  source: DeepReadonly<CatalogSource>,
  pods: readonly DeepReadonly<Pod>[],
): Promise<void> {
  const { name = '', namespace = '' } = source.metadata;
  const image = source.spec.image!;
  const isCurrent = (pod: DeepReadonly<Pod>) => pod.spec?.containers[0]?.image === image;
  for (const pod of pods.filter((each) => !isCurrent(each)))
    await client.delete(Pod, { namespace, name: pod.metadata.name! });
  if (pods.some(isCurrent)) return;
  const labels = { [catalogLabel]: name, ...managed };
  const ownerReferences = [controllerReference(source)];
  const account = { metadata: { name, namespace, labels: managed, ownerReferences } };
  await ignoringExisting(
    client.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', ...account }),
  );
  await ignoringExisting(
    client.create(Service, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: serviceNameOf(source), namespace, labels: managed, ownerReferences },
      spec: { ports: [{ name: 'grpc', port: catalogPort, targetPort: catalogPort }], selector: labels },
    }),
  );
  await client.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { generateName: `${name}-`, namespace, labels, ownerReferences },
    spec: {
      serviceAccountName: name,
      containers: [
        {
          name: 'registry-server',
          image,
          ports: [{ name: 'grpc', containerPort: catalogPort }],
          imagePullPolicy: image.includes('@') ? 'IfNotPresent' : 'Always',
        },
      ],
    },
  });
}

/** Ignores that an object exists. */
export async function ignoringExisting(creation: Promise<unknown>): Promise<void> {
  await creation.catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}
