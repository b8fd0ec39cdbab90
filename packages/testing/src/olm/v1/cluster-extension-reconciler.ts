import { isDeepStrictEqual } from 'node:util';
import {
  type DeepReadonly,
  type Reconciler,
  type Request,
  type Result,
  isApiError,
  setCondition,
} from 'ots-runtime';
import type { Condition, KubernetesObject } from 'ots-kubernetes';
import { type Bundle, readBundle } from '../content/bundle.ts';
import { type CatalogBundle, deprecationKey } from '../content/catalog.ts';
import { ContentError } from '../content/documents.ts';
import { thawed } from '../thawed.ts';
import { ApplyError, applyRelease, deleteStale } from './apply-release.ts';
import { ClusterCatalog, ClusterExtension, type InstalledBundle } from './kinds.ts';
import { UnsupportedError, render } from './render.ts';
import { ResolutionError, resolveExtension } from './resolve-extension.ts';
import type { V1Context } from './v1-context.ts';

/** When operator-controller tries again what has failed. */
const againMs = 10_000;

type Extension = DeepReadonly<ClusterExtension>;
type State = Pick<Condition, 'type' | 'reason' | 'message'> & {
  readonly status: 'True' | 'False' | 'Unknown';
};

/** Installs and upgrades what a ClusterExtension asks for. Deleting it deletes all of it, by owner references. */
export class ClusterExtensionReconciler implements Reconciler {
  readonly #context: V1Context;
  /** What was applied, by the UIDs of extensions. */
  readonly #applied = new Map<
    string,
    { readonly bundle: string; readonly objects: readonly KubernetesObject[] }
  >();

  constructor(context: V1Context) {
    this.#context = context;
  }

  async reconcile({ name }: Request): Promise<Result | void> {
    const { cache } = this.#context;
    const extension = cache.get(ClusterExtension, { name });
    if (!extension || extension.metadata.deletionTimestamp !== undefined) return;
    const before = extension.status?.install?.bundle;
    const catalogs = cache.list(ClusterCatalog);
    try {
      const bundle = resolveExtension(extension.spec.source.catalog!, before, catalogs, this.#context.served);
      return await this.#install(extension, bundle);
    } catch (error) {
      if (!(error instanceof ResolutionError)) throw error;
      // Without any catalog, what is installed stays.
      const isOrphaned = before !== undefined && catalogs.length === 0;
      await this.#write(extension, before, isOrphaned ? reached : retrying(error.message), undefined);
      return { requeueAfter: againMs };
    }
  }

  async #install(extension: Extension, bundle: CatalogBundle): Promise<Result | void> {
    const { name, version, image } = bundle;
    const before = extension.status?.install?.bundle;
    const uid = extension.metadata.uid!;
    const applied = this.#applied.get(uid);
    try {
      if (applied?.bundle !== name) {
        const objects = render(this.#contentOf(image), extension.spec.namespace);
        await applyRelease(extension, objects, this.#context);
        await deleteStale(applied?.objects ?? [], objects, this.#context);
        this.#applied.set(uid, { bundle: name, objects });
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const message = `error for resolved bundle "${name}" with version "${version}": ${error.message}`;
      await this.#write(extension, before, retrying(message), bundle);
      return { requeueAfter: againMs };
    }
    await this.#write(extension, { name, version }, reached, bundle, image);
  }

  #contentOf(image: string): Bundle {
    const directory = this.#context.images.get(image);
    if (directory === undefined)
      throw new ContentError(`error creating image source: reading manifest of ${image}: not found`);
    return readBundle(directory);
  }

  async #write(
    extension: Extension,
    bundle: DeepReadonly<InstalledBundle> | undefined,
    progressing: State,
    resolved: CatalogBundle | undefined,
    image = installedImage(extension),
  ): Promise<void> {
    const installed: State = bundle
      ? {
          type: 'Installed',
          status: 'True',
          reason: 'Succeeded',
          message: `Installed bundle ${image} successfully`,
        }
      : { type: 'Installed', status: 'False', reason: 'Failed', message: 'No bundle installed' };
    const { generation } = extension.metadata;
    let conditions = extension.status?.conditions ? thawed(extension.status.conditions) : [];
    for (const each of [...this.#deprecations(extension, bundle, resolved), installed, progressing])
      conditions = setCondition(
        conditions,
        { ...each, observedGeneration: generation! },
        this.#context.date(),
      );
    const status = { conditions, ...(bundle && { install: { bundle: { ...bundle } } }) };
    if (isDeepStrictEqual(extension.status, status)) return;
    await this.#context.client.status.update(ClusterExtension, { ...thawed(extension), status });
  }

  /** What the catalogs say about the package, its channels, and the bundle that is installed. */
  #deprecations(
    { spec }: Extension,
    bundle: DeepReadonly<InstalledBundle> | undefined,
    resolved: CatalogBundle | undefined,
  ): State[] {
    const { packageName, channels = [] } = spec.source.catalog!;
    const messages = (schema: string, names: readonly (string | undefined)[]): string[] =>
      [...this.#context.served.values()].flatMap(({ deprecations }) =>
        names.flatMap((name) => deprecations.get(deprecationKey(packageName, schema, name)) ?? []),
      );
    const found = {
      PackageDeprecated: messages('olm.package', [undefined]),
      ChannelDeprecated: messages('olm.channel', channels),
      BundleDeprecated: bundle ? messages('olm.bundle', [bundle.name]) : [],
    };
    const all = { Deprecated: Object.values(found).flat(), ...found };
    return Object.entries(all).map(([type, texts]): State => {
      if (type === 'BundleDeprecated' && !bundle)
        return { type, status: 'Unknown', reason: 'Absent', message: 'no bundle installed yet' };
      if (!resolved) {
        const message = 'deprecation status unknown: catalog data unavailable';
        return { type, status: 'Unknown', reason: 'DeprecationStatusUnknown', message };
      }
      if (texts.length > 0) return { type, status: 'True', reason: 'Deprecated', message: texts.join('\n') };
      const subject = type.slice(0, -'Deprecated'.length).toLowerCase();
      return { type, status: 'False', reason: 'NotDeprecated', message: `${subject} not deprecated`.trim() };
    });
  }
}

const reached: State = {
  type: 'Progressing',
  status: 'True',
  reason: 'Succeeded',
  message: 'Desired state reached',
};

function retrying(message: string): State {
  return { type: 'Progressing', status: 'True', reason: 'Retrying', message };
}

/** The image that the status names: it has no other place. */
function installedImage({ status }: Extension): string {
  const { message = '' } = status?.conditions?.find(({ type }) => type === 'Installed') ?? {};
  return /^Installed bundle (\S+) successfully$/.exec(message)?.[1] ?? '';
}

function isRefusal(error: unknown): error is Error {
  return (
    isApiError(error) ||
    error instanceof ApplyError ||
    error instanceof ContentError ||
    error instanceof UnsupportedError
  );
}
