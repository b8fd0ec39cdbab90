import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { UnstructuredObject } from 'ots-runtime';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import type { Bundle } from '../bundle/bundle.ts';
import { valueOf } from '../bundle/json.ts';
import { schemas } from '../catalog/catalog.ts';
import { renderBundle } from '../catalog/render-bundle.ts';

/** What serves a catalog, if no flag names another image. */
export const defaultServerImage = 'quay.io/operator-framework/opm:v1.55.0';

/** The label of everything that `ots run bundle` makes. */
export const managedLabel = { 'app.kubernetes.io/managed-by': 'ots' } as const;

const port = 50051;
const maxConfigMapBytes = 2 ** 20;
/** OLM writes the manifests into an InstallPlan, and etcd refuses objects of more than 1.5 MiB. */
const maxManifestBytes = 1.25 * 2 ** 20;

/** The names of what `ots run bundle` makes for a package. */
export interface Names {
  /** Of the catalog and of everything that serves it. */
  readonly catalog: string;
  readonly subscription: string;
  readonly operatorGroup: string;
}

/**
 * The names of what `ots run bundle` makes for a package. They are valid names of Services, which must start with a letter.
 */
export function namesFor(packageName: string): Names {
  const plain = packageName.toLowerCase().replaceAll(/[^-a-z0-9]/g, '-');
  const hash = createHash('sha256').update(packageName).digest('hex').slice(0, 8);
  const isKept = plain === packageName && plain.length <= 40;
  const stem = isKept ? plain : `${plain.slice(0, 31)}-${hash}`;
  return { catalog: `ots-${stem}-catalog`, subscription: `ots-${stem}`, operatorGroup: 'ots' };
}

/** The channel that a Subscription follows: the default one of the bundle, or else its first. */
export function channelOf({ defaultChannel, channels }: Bundle): string {
  return defaultChannel || channels[0] || 'alpha';
}

/**
 * A file-based catalog with one bundle. Its manifests are in the catalog, so OLM needs no image of the bundle.
 *
 * @param image of the bundle, for one that is too large; empty if it has none
 * @throws OtsError `BUNDLE_TOO_LARGE` without an image
 */
export function catalogOf(bundle: Bundle, image = ''): string {
  const { name, package: packageName, csv } = bundle;
  const bytes = bundle.objects.reduce((sum, { object }) => sum + JSON.stringify(object).length, 0);
  const isLarge = bytes > maxManifestBytes;
  if (isLarge && image === '')
    throw new OtsError('BUNDLE_TOO_LARGE', `The manifests of ${oneLine(name)} have ${bytes} bytes`, {
      hint: `Without an image, OLM installs up to ${maxManifestBytes} bytes: push the image of the bundle, and name it instead of the directory.`,
    });
  const channel = channelOf(bundle);
  const { replaces, skips } = csv?.csv.spec ?? {};
  const skipRange = valueOf(csv?.csv.metadata?.annotations, 'olm.skipRange');
  const entry = {
    name,
    ...(replaces && { replaces }),
    ...(skips && skips.length > 0 && { skips }),
    ...(skipRange !== undefined && { skipRange }),
  };
  const objects = [
    { schema: schemas.package, name: packageName, defaultChannel: channel },
    { schema: schemas.channel, package: packageName, name: channel, entries: [entry] },
    renderBundle(bundle, isLarge ? image : ''),
  ];
  return objects.map((object) => `${JSON.stringify(object)}\n`).join('');
}

/** What serves a catalog in a cluster. */
export interface CatalogServer {
  readonly packageName: string;
  readonly namespace: string;
  /** Of the program `opm`. */
  readonly image: string;
  /** The name of a Secret to pull the image with. */
  readonly pullSecret?: string | undefined;
}

/**
 * The objects that serve a catalog: a ConfigMap with its content, a Deployment of `opm serve` that the strictest Pod Security Standard
 * admits, and a Service. Another content rolls out a new pod.
 *
 * @throws OtsError `BUNDLE_TOO_LARGE` if a ConfigMap cannot contain it
 */
export function serverObjects(
  content: string,
  { packageName, namespace, image, pullSecret }: CatalogServer,
): UnstructuredObject[] {
  const { catalog: name } = namesFor(packageName);
  const isPlain = Buffer.byteLength(content) < maxConfigMapBytes - 4096;
  const metadata = { name, namespace, labels: { ...managedLabel } };
  const selector = { 'app.kubernetes.io/name': name };
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      ...(isPlain
        ? { data: { 'catalog.json': content } }
        : { binaryData: { 'catalog.json.gz': compressed(content, packageName) } }),
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector, ports: [{ name: 'grpc', port, targetPort: port, protocol: 'TCP' }] },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas: 1,
        selector: { matchLabels: selector },
        // Two versions of a catalog at once would be one too many.
        strategy: { type: 'Recreate' },
        template: {
          metadata: {
            labels: { ...managedLabel, ...selector },
            annotations: { 'ots/catalog-hash': hash },
          },
          spec: podSpec(name, { image, pullSecret, isPlain }),
        },
      },
    },
  ];
}

/** Where OLM finds the served catalog. */
export function catalogSource(packageName: string, namespace: string): UnstructuredObject {
  const { catalog: name } = namesFor(packageName);
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'CatalogSource',
    metadata: { name, namespace, labels: { ...managedLabel } },
    spec: {
      sourceType: 'grpc',
      address: `${name}.${namespace}.svc:${port}`,
      displayName: packageName,
      publisher: 'ots',
    },
  };
}

function compressed(content: string, packageName: string): string {
  const packed = gzipSync(content, { level: 9 });
  if (packed.length < maxConfigMapBytes - 4096) return packed.toString('base64');
  throw new OtsError('BUNDLE_TOO_LARGE', `The catalog of ${packageName} does not fit into a ConfigMap`, {
    hint: 'Make the manifests smaller, for example with shorter descriptions in the CRDs.',
  });
}

/**
 * A volume of a ConfigMap has links and hidden folders, which opm would read, too: so the file is mounted by itself. A compressed one is
 * unpacked by the shell that the image of opm has.
 */
function podSpec(
  name: string,
  { image, pullSecret, isPlain }: { image: string; pullSecret?: string | undefined; isPlain: boolean },
): object {
  const serve = ['serve', '/configs', '--port', `${port}`];
  const file = isPlain ? 'catalog.json' : 'catalog.json.gz';
  const unpack = `gzip -dc /packed/${file} > /configs/catalog.json && exec opm ${serve.join(' ')}`;
  return {
    ...(pullSecret !== undefined && { imagePullSecrets: [{ name: pullSecret }] }),
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'catalog',
        image,
        ...(isPlain ? { args: serve } : { command: ['sh', '-c', unpack] }),
        ports: [{ name: 'grpc', containerPort: port }],
        readinessProbe: { grpc: { port }, periodSeconds: 1 },
        resources: { requests: { cpu: '10m', memory: '50Mi' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          readOnlyRootFilesystem: true,
        },
        volumeMounts: [
          { name: 'catalog', mountPath: isPlain ? `/configs/${file}` : `/packed/${file}`, subPath: file },
          { name: 'cache', mountPath: '/tmp' },
          ...(isPlain ? [] : [{ name: 'configs', mountPath: '/configs' }]),
        ],
      },
    ],
    volumes: [
      { name: 'catalog', configMap: { name } },
      { name: 'cache', emptyDir: {} },
      ...(isPlain ? [] : [{ name: 'configs', emptyDir: {} }]),
    ],
  };
}
