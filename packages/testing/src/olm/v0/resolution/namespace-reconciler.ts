import { isDeepStrictEqual } from 'node:util';
import { Namespace, Pod } from 'ots-kubernetes/core/v1';
import { type DeepReadonly, type Reconciler, type Request, type Result, ownerReference } from 'ots-runtime';
import { bundleOf } from '../../content/bundle.ts';
import { ContentError } from '../../content/documents.ts';
import { catalogLabel } from '../catalogs/registry-objects.ts';
import {
  CatalogSource,
  ClusterServiceVersion,
  InstallPlan,
  type InstallStep,
  OperatorGroup,
  Subscription,
  type SubscriptionStatus,
} from '../kinds.ts';
import { generatedBy, olmNamespace } from '../olm-user.ts';
import { orderedSteps, stepOf, stepsOf } from '../plans/steps.ts';
import { isCopied } from '../operators/copied.ts';
import { thawed } from '../../thawed.ts';
import type { V0Context } from '../v0-context.ts';
import { BundleUnpacker } from './bundle-unpacker.ts';
import { type ResolvedBundle, UnsatisfiableError, resolve } from './resolve.ts';
import {
  noteCatalogHealth,
  noteInstallPlan,
  removeSubscriptionConditions,
  setSubscriptionCondition,
} from './subscription-status.ts';

/** When OLM looks again at a bundle that is being unpacked, and at one that failed. */
const unpackingMs = 5000;
const failedMs = 300_000;

const guidance =
  'Auto-retry in ~5 min after job cleanup (TTL). Common causes: Missing ICSP (ppc64le/s390x/arm64), auth failure, invalid image.';

/** What cannot be resolved for another reason than the catalogs. */
class ResolutionError extends Error {}

/** Resolves the Subscriptions of a namespace to InstallPlans. */
export class NamespaceReconciler implements Reconciler {
  readonly #context: V0Context;
  readonly #unpacker: BundleUnpacker;

  constructor(context: V0Context) {
    this.#context = context;
    this.#unpacker = new BundleUnpacker(context);
  }

  async reconcile({ name: namespace }: Request): Promise<Result | void> {
    const { cache } = this.#context;
    const found = cache.list(Subscription, { namespace }).toSorted(byName);
    if (found.length === 0) return;
    const subscriptions = await this.#withHealth(found, namespace);
    // OLM says nothing about a namespace without an OperatorGroup, or with several.
    if (cache.list(OperatorGroup, { namespace }).length !== 1) return;
    if (await this.#notePlans(subscriptions)) return;
    if (await this.#noteVersions(subscriptions)) return;
    if (subscriptions.every(isPending)) return;
    return this.#resolve(namespace, subscriptions);
  }

  /** Writes what the status says about catalogs and InstallPlans. */
  async #withHealth(
    subscriptions: readonly DeepReadonly<Subscription>[],
    namespace: string,
  ): Promise<DeepReadonly<Subscription>[]> {
    const { cache, now } = this.#context;
    const catalogs = this.#catalogs(namespace).map((source) => ({
      source,
      healthy: this.#isHealthy(source),
    }));
    return Promise.all(
      subscriptions.map((subscription) =>
        this.#change(subscription, (status) => {
          noteCatalogHealth(subscription, status, catalogs, now());
          const name = status.installPlanRef?.name;
          noteInstallPlan(
            status,
            name === undefined ? undefined : cache.get(InstallPlan, { namespace, name }),
            now(),
          );
        }),
      ),
    );
  }

  /** Those that a namespace sees: its own and those of OLM. */
  #catalogs(namespace: string): DeepReadonly<CatalogSource>[] {
    const { cache } = this.#context;
    const seen = new Set([namespace, olmNamespace]);
    return [...seen].flatMap((each) => cache.list(CatalogSource, { namespace: each }).toSorted(byName));
  }

  #isHealthy({ spec, status, metadata }: DeepReadonly<CatalogSource>): boolean {
    if (status?.reason === 'SpecInvalidError') return false;
    if (spec.address !== undefined) return true;
    const labelSelector = { matchLabels: { [catalogLabel]: metadata.name! } };
    return this.#context.cache.list(Pod, { namespace: metadata.namespace, labelSelector }).length > 0;
  }

  /** A Subscription that an InstallPlan has created for a dependency refers to that plan. @returns whether there was one */
  async #notePlans(subscriptions: readonly DeepReadonly<Subscription>[]): Promise<boolean> {
    const { cache, now } = this.#context;
    const changes = await Promise.all(
      subscriptions.map(async (subscription) => {
        const { namespace, annotations } = subscription.metadata;
        const name = annotations?.[generatedBy];
        const plan = name === undefined ? undefined : cache.get(InstallPlan, { namespace, name });
        if (!plan || subscription.status?.installPlanRef) return false;
        await this.#change(subscription, (status) => {
          Object.assign(status, referenceTo(plan), { state: 'UpgradePending', lastUpdated: now() });
          const { startingCSV } = subscription.spec;
          if (startingCSV !== undefined) status.currentCSV = startingCSV;
        });
        return true;
      }),
    );
    return changes.includes(true);
  }

  /** Notes whether the current versions exist. @returns whether that has changed */
  async #noteVersions(subscriptions: readonly DeepReadonly<Subscription>[]): Promise<boolean> {
    const { cache, now } = this.#context;
    const changes = await Promise.all(
      subscriptions.map(async (subscription) => {
        const { currentCSV, state } = subscription.status ?? {};
        if (!currentCSV) return false;
        const { namespace } = subscription.metadata;
        const exists = cache.get(ClusterServiceVersion, { namespace, name: currentCSV }) !== undefined;
        const next = exists ? 'AtLatestKnown' : 'UpgradePending';
        if (state === next) return false;
        await this.#change(subscription, (status) => {
          status.state = next;
          if (exists) status.installedCSV = currentCSV;
          status.lastUpdated = now();
        });
        return true;
      }),
    );
    return changes.includes(true);
  }

  async #resolve(
    namespace: string,
    subscriptions: readonly DeepReadonly<Subscription>[],
  ): Promise<Result | void> {
    try {
      const resolved = this.#resolution(namespace, subscriptions);
      const unpacked = await this.#unpackAll(resolved, subscriptions);
      if (!Array.isArray(unpacked)) return unpacked;
      const steps = this.#stepsOf(resolved, unpacked, namespace);
      await this.#plan(namespace, subscriptions, resolved, steps);
    } catch (error) {
      if (!(error instanceof UnsatisfiableError || error instanceof ResolutionError)) throw error;
      await this.#fail(namespace, subscriptions, error);
    }
  }

  #resolution(namespace: string, subscriptions: readonly DeepReadonly<Subscription>[]): ResolvedBundle[] {
    const { cache, connections } = this.#context;
    const catalogs = this.#catalogs(namespace).map(({ metadata, status }) => {
      const key = { namespace: metadata.namespace!, name: metadata.name! };
      const catalog = connections.get(key);
      if (catalog) return { key, catalog };
      const address = status?.connectionState?.address;
      const problem =
        address === undefined
          ? `no registry client established for catalogsource ${key.namespace}/${key.name}`
          : `failed to list bundles: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp: ${address}: connect: connection refused"`;
      throw new ResolutionError(`error using catalogsource ${key.namespace}/${key.name}: ${problem}`);
    });
    const installed = cache.list(ClusterServiceVersion, { namespace }).filter((csv) => !isCopied(csv));
    const resolved = resolve({ subscriptions, installed, catalogs });
    const isNew = ({ bundle }: ResolvedBundle) =>
      !installed.some(({ metadata }) => metadata.name === bundle.name);
    return resolved.filter(isNew);
  }

  /** @returns the bundles without their Subscriptions, or when to look again */
  async #unpackAll(
    resolved: readonly ResolvedBundle[],
    subscriptions: readonly DeepReadonly<Subscription>[],
  ): Promise<(ReturnType<typeof bundleOf> | undefined)[] | Result> {
    const results = await Promise.all(
      resolved.map(async ({ bundle, catalog }) =>
        bundle.image === '' ? undefined : await this.#unpacker.unpack(bundle.image, catalog),
      ),
    );
    const failed = results.find((each) => each?.state === 'failed');
    if (failed?.state === 'failed') return this.#noteFailure(subscriptions, failed);
    const pending = results.find((each) => each?.state === 'pending');
    if (pending?.state !== 'pending')
      return results.map((each) => (each?.state === 'unpacked' ? each.bundle : undefined));
    const isPull = /ImagePullBackOff|ErrImagePull/.test(pending.message);
    const message = isPull
      ? `Bundle image pull failed. ${guidance.slice(guidance.indexOf('Common'))} Job will retry until timeout (~10 min), then auto-cleanup and retry in ~5 min.`
      : '';
    await this.#note(subscriptions, { type: 'BundleUnpacking', reason: 'UnpackingInProgress', message });
    return { requeueAfter: unpackingMs };
  }

  async #noteFailure(
    subscriptions: readonly DeepReadonly<Subscription>[],
    { reason, message }: { reason: string; message: string },
  ): Promise<Result> {
    const { events, now } = this.#context;
    const text = `Bundle unpacking failed - ${reason}: ${message}. ${guidance}`;
    const condition = {
      type: 'BundleUnpackFailed',
      reason: 'BundleUnpackFailed',
      message: text,
      status: 'True',
    } as const;
    await Promise.all(
      subscriptions.map((subscription) =>
        this.#change(subscription, (status) => {
          const removed = removeSubscriptionConditions(status, 'BundleUnpacking');
          const set = setSubscriptionCondition(status, condition);
          if (removed || set) status.lastUpdated = now();
          if (set) events.record(subscription, 'Warning', 'BundleUnpackFailed', text);
        }),
      ),
    );
    return { requeueAfter: failedMs };
  }

  #stepsOf(
    resolved: readonly ResolvedBundle[],
    unpacked: readonly (ReturnType<typeof bundleOf> | undefined)[],
    namespace: string,
  ): InstallStep[] {
    return orderedSteps(
      resolved.flatMap((each, index) => {
        const { catalog, replaces, bundle } = each;
        const options = { namespace, catalog, replaces, properties: bundle.properties };
        const subscription =
          each.subscription === undefined
            ? [stepOf(dependencySubscription(each, namespace), bundle.name, catalog)]
            : [];
        return [...stepsOf(unpacked[index] ?? inline(bundle), options), ...subscription];
      }),
    );
  }

  async #plan(
    namespace: string,
    subscriptions: readonly DeepReadonly<Subscription>[],
    resolved: readonly ResolvedBundle[],
    steps: InstallStep[],
  ): Promise<void> {
    const { now } = this.#context;
    const next = new Map(resolved.map(({ subscription, bundle }) => [subscription, bundle.name]));
    const isUpdated = ({ metadata, status }: DeepReadonly<Subscription>) =>
      next.has(metadata.name) && status?.currentCSV !== next.get(metadata.name);
    const updated = subscriptions.filter(isUpdated);
    const plan = updated.length > 0 ? await this.#createPlan(namespace, subscriptions, steps) : undefined;
    await Promise.all(
      subscriptions.map((subscription) =>
        this.#change(subscription, (status) => {
          const removed = removeSubscriptionConditions(
            status,
            'BundleUnpacking',
            'BundleUnpackFailed',
            'ResolutionFailed',
          );
          if (removed) status.lastUpdated = now();
          if (!plan || !updated.includes(subscription)) return;
          Object.assign(status, referenceTo(plan));
          status.currentCSV = next.get(subscription.metadata.name)!;
          status.installPlanGeneration = plan.spec.generation!;
          status.state = 'UpgradePending';
          status.lastUpdated = now();
        }),
      ),
    );
  }

  async #createPlan(
    namespace: string,
    subscriptions: readonly DeepReadonly<Subscription>[],
    plan: InstallStep[],
  ): Promise<InstallPlan> {
    const { cache, client } = this.#context;
    const generations = [
      ...subscriptions.map(({ status }) => status?.installPlanGeneration ?? 0),
      ...cache.list(InstallPlan, { namespace }).map(({ spec }) => spec.generation ?? 0),
    ];
    const isManual = subscriptions.some(({ spec }) => spec.installPlanApproval === 'Manual');
    const created = await client.create(InstallPlan, {
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'InstallPlan',
      metadata: {
        generateName: 'install-',
        namespace,
        ownerReferences: subscriptions.map((each) => ({
          ...ownerReference(each),
          blockOwnerDeletion: false,
          controller: false,
        })),
      },
      spec: {
        clusterServiceVersionNames: plan
          .filter(({ resource }) => resource.kind === 'ClusterServiceVersion')
          .map(({ resource }) => resource.name),
        approval: isManual ? 'Manual' : 'Automatic',
        approved: !isManual,
        generation: Math.max(...generations) + 1,
      },
    });
    return client.status.update(InstallPlan, {
      ...thawed(created),
      status: {
        phase: isManual ? 'RequiresApproval' : 'Installing',
        catalogSources: [...new Set(plan.map(({ resource }) => resource.sourceName))],
        plan,
      },
    });
  }

  async #fail(
    namespace: string,
    subscriptions: readonly DeepReadonly<Subscription>[],
    error: Error,
  ): Promise<void> {
    const { cache, events } = this.#context;
    const about = cache.get(Namespace, { name: namespace });
    if (about) events.record(about, 'Warning', 'ResolutionFailed', error.message);
    const reason =
      error instanceof UnsatisfiableError ? 'ConstraintsNotSatisfiable' : 'ErrorPreventedResolution';
    await this.#note(subscriptions, { type: 'ResolutionFailed', reason, message: error.message });
  }

  async #note(
    subscriptions: readonly DeepReadonly<Subscription>[],
    condition: { type: string; reason: string; message: string },
  ): Promise<void> {
    const { now } = this.#context;
    await Promise.all(
      subscriptions.map((subscription) =>
        this.#change(subscription, (status) => {
          if (setSubscriptionCondition(status, { ...condition, status: 'True' })) status.lastUpdated = now();
        }),
      ),
    );
  }

  /** Writes the status if the change makes a difference. */
  async #change(
    subscription: DeepReadonly<Subscription>,
    change: (status: NonNullable<Subscription['status']>) => void,
  ): Promise<DeepReadonly<Subscription>> {
    const { cache, client, now } = this.#context;
    const { name = '', namespace } = subscription.metadata;
    const current = cache.get(Subscription, { name, namespace }) ?? subscription;
    const status = current.status ? thawed(current.status) : { lastUpdated: now() };
    const before = structuredClone(status);
    change(status);
    if (isDeepStrictEqual(before, status)) return current;
    return client.status.update(Subscription, { ...thawed(current), status });
  }
}

function referenceTo({
  apiVersion,
  kind,
  metadata,
}: DeepReadonly<InstallPlan>): Required<Pick<SubscriptionStatus, 'installPlanRef' | 'installplan'>> {
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = metadata;
  return {
    installPlanRef: { apiVersion, kind, name, namespace, uid, resourceVersion },
    installplan: { apiVersion, kind, name, uuid: uid },
  };
}

/** A bundle whose objects are in the catalog. */
function inline({ objects, name }: ResolvedBundle['bundle']): ReturnType<typeof bundleOf> {
  try {
    return bundleOf(objects);
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    throw new ResolutionError(`failed to turn bundle into steps: ${name}: ${error.message}`);
  }
}

function dependencySubscription(
  { bundle, channel, catalog }: ResolvedBundle,
  namespace: string,
): Subscription {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'Subscription',
    metadata: { name: `${bundle.package}-${channel}-${catalog.name}-${catalog.namespace}`, namespace },
    spec: {
      source: catalog.name,
      sourceNamespace: catalog.namespace,
      name: bundle.package,
      channel,
      startingCSV: bundle.name,
      installPlanApproval: 'Automatic',
    },
  };
}

function isPending({ status }: DeepReadonly<Subscription>): boolean {
  return status?.installPlanRef !== undefined && status.state === 'UpgradePending';
}

function byName(
  a: { metadata: { readonly name?: string } },
  b: { metadata: { readonly name?: string } },
): number {
  return a.metadata.name! < b.metadata.name! ? -1 : 1;
}
