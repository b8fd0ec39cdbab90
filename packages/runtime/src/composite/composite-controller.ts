import type { KubernetesObject } from 'ots-kubernetes';
import { Clusters } from '../clusters/clusters.ts';
import type { Controller } from '../controller/controller.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import type { Manager } from '../manager/manager.ts';
import type { CompositeOptions } from './composite-options.ts';
import { CompositeReconciler, type CompositeSource } from './composite-reconciler.ts';

/**
 * Adds a controller to the manager, or to each of several clusters, that consists of one pure function: from the current state of a parent and its
 * children to the desired children and status.
 * ```ts
 * compositeController(manager, {
 *   parent: MyApp,
 *   children: [Deployment, ConfigMap, { kind: Job, updateStrategy: 'Recreate' }],
 *   sync: (app, observed) => ({
 *     children: [configFor(app), deploymentFor(app)],
 *     status: { ready: observed.get(Deployment, app.metadata.name!)?.status?.readyReplicas ?? 0 },
 *   }),
 * });
 * ```
 * Children are written by server-side apply, which repairs drift and sends nothing when nothing changes; their
 * controller is the parent, and they carry the label `runtime.ots/controller`. Children that it no longer returns are
 * deleted. A failing child stops neither the others nor the status; the reconcile then fails and is retried. An object
 * of the same name that is not a child of this parent and controller stays unchanged, and is an error
 * (`AlreadyOwnedError`).
 *
 * The idea is that of metacontroller's CompositeController. The differences:
 * - children are changed in place by default, where metacontroller waits for their deletion (`OnDelete`);
 * - children are found by their owner reference: selectors and adoption of orphans are not supported;
 * - the server merges fields by their owners, not by an annotation with the last applied state;
 * - the returned status replaces what this controller reported before, and keeps what others report;
 * - only a controller with `finalize` adds a finalizer;
 * - related objects are those that the parent names (`references`), and `sync` reads them itself;
 * - rolling updates from child to child are not supported: use a workflow, or a Reconciler.
 * @throws {UsageError} if the name is taken or cannot be a label, a parent in a namespace would have children in none, or
 *   `pausedBy` is not the name of an annotation.
 */
export function compositeController<
  P extends KubernetesObject,
  const Children extends readonly KubernetesObject[],
>(host: Manager | Clusters, options: CompositeOptions<P, Children>): Controller {
  const name = options.name ?? options.parent.kind.toLowerCase();
  const reconcilers = new WeakMap<CompositeSource, CompositeReconciler<P>>();
  const reconcilerIn = (cluster: string | undefined): CompositeReconciler<P> => {
    const source = host instanceof Clusters ? host.get(cluster) : host;
    const reconciler = reconcilers.get(source) ?? new CompositeReconciler<P>(name, options, source);
    reconcilers.set(source, reconciler);
    return reconciler;
  };
  const { kinds } = reconcilerIn(undefined);
  const builder = new ControllerBuilder(host).for(options.parent).named(name);
  builder.withOptions(options.settings ?? {});
  for (const kind of kinds) builder.owns(kind);
  for (const { kind, names } of options.references ?? []) builder.references(kind, names);
  const { pausedBy } = options;
  if (typeof pausedBy === 'string') builder.pausedBy(pausedBy);
  else if (pausedBy) builder.pausedBy(pausedBy.annotation, pausedBy);
  // A function, because errors name the class of a reconciler, and users have not written this one.
  return builder.complete((request, context) => reconcilerIn(request.cluster).reconcile(request, context));
}
