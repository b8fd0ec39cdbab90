import type { KubernetesObject } from 'ots-kubernetes';
import { Client } from 'ots-runtime';
import { TestEnvironment } from '../../src/environment/test-environment.ts';
import { simulateOlm } from '../../src/olm/simulate-olm.ts';
import { CatalogSource, ClusterServiceVersion, InstallPlan, Subscription } from '../../src/olm/v0/kinds.ts';
import {
  type BundleChanges,
  type Entry,
  ImageDirectories,
  bundleObjects,
  catalogBlobs,
} from './olm-bundle.ts';

const image = (version: string) => `example.com/bundle:v${version}`;
const apiVersion = 'operators.coreos.com/v1alpha1';

const versions = ['0.0.1', '0.0.2'];

/** A cluster with OLM v0, in whose namespace `operators` a test installs memcached-operator. */
export class OlmCluster implements AsyncDisposable {
  readonly namespace = 'operators';
  readonly environment: TestEnvironment;
  readonly client: Client;
  readonly images: ImageDirectories;

  private constructor(environment: TestEnvironment, images: ImageDirectories) {
    this.environment = environment;
    this.images = images;
    this.client = new Client(environment.config);
  }

  /**
   * @param entries of the channel alpha
   * @param bundles what is special about the bundles, by version
   * @param options `unpack`: the bundles are images; default: they are in the catalog
   */
  static async start(
    entries: readonly Entry[] = [{ version: '0.0.1' }],
    bundles: Readonly<Record<string, BundleChanges>> = {},
    { unpack = false, properties = [] }: { unpack?: boolean; properties?: readonly object[] } = {},
  ): Promise<OlmCluster> {
    const images = await ImageDirectories.create();
    const objects = (version: string) => bundleObjects({ ...bundles[version], version });
    if (unpack) await Promise.all(entries.map(({ version }) => images.bundle(version, objects(version))));
    const content = (version: string) => (unpack ? { image: image(version) } : { inline: objects(version) });
    await images.catalog('catalog', catalogBlobs(entries, content, properties));
    const environment = await TestEnvironment.start({ clock: 'virtual', workloads: true });
    const contents = versions.map((version) => [image(version), `${images.root}/${version}`] as const);
    const all = [['example.com/catalog:v1', `${images.root}/catalog`] as const, ...contents];
    await simulateOlm(environment, { images: Object.fromEntries(all) });
    return new OlmCluster(environment, images);
  }

  async createCatalog(
    spec: Partial<CatalogSource['spec']> = { image: 'example.com/catalog:v1' },
  ): Promise<void> {
    await this.client.create(CatalogSource, {
      apiVersion,
      kind: 'CatalogSource',
      metadata: { namespace: this.namespace, name: 'catalog' },
      spec: { sourceType: 'grpc', ...spec },
    });
  }

  async subscribe(spec: Partial<Subscription['spec']> = {}): Promise<void> {
    const { namespace } = this;
    await this.client.create(Subscription, {
      apiVersion,
      kind: 'Subscription',
      metadata: { namespace, name: 'memcached' },
      spec: {
        source: 'catalog',
        sourceNamespace: namespace,
        name: 'memcached-operator',
        channel: 'alpha',
        ...spec,
      },
    });
  }

  /** A Subscription to a catalog, after a while. */
  async installed(spec?: Partial<Subscription['spec']>): Promise<void> {
    await this.createCatalog();
    await this.subscribe(spec);
    await this.environment.advance('10s');
  }

  async subscription(): Promise<NonNullable<Subscription['status']> | undefined> {
    return (await this.client.get(Subscription, { namespace: this.namespace, name: 'memcached' }))
      ?.status as never;
  }

  /** Type, status, reason and message of the conditions of the Subscription, without those that say that all is well. */
  async problems(): Promise<string[]> {
    const { conditions = [] } = (await this.subscription()) ?? {};
    return conditions
      .filter(({ status }) => status === 'True')
      .map(({ type, reason, message }) => [type, reason, message].filter(Boolean).join(': '));
  }

  csv(version = '0.0.1'): Promise<ClusterServiceVersion | undefined> {
    const { namespace } = this;
    return this.client.get(ClusterServiceVersion, {
      namespace,
      name: `memcached-operator.v${version}`,
    }) as never;
  }

  /** Phase, reason and message of a ClusterServiceVersion. */
  async phase(version?: string): Promise<string | undefined> {
    const { phase, reason, message } = (await this.csv(version))?.status ?? {};
    return phase && `${phase}/${reason}: ${message}`;
  }

  async plans(): Promise<InstallPlan[]> {
    return (await this.client.list(InstallPlan, { namespace: this.namespace })).items as never;
  }

  async approve(): Promise<void> {
    for (const { metadata } of await this.plans())
      await this.client.patch(
        InstallPlan,
        { namespace: this.namespace, name: metadata.name! },
        { spec: { approved: true } },
      );
    await this.environment.advance('10s');
  }

  /** Creates an object of any kind. */
  async create(object: KubernetesObject): Promise<void> {
    await this.client.create(await this.client.mapper.kindFor(object.apiVersion, object.kind), { ...object });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.environment.stop();
    await this.images[Symbol.asyncDispose]();
  }
}
