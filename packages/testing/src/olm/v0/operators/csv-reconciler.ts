import { isDeepStrictEqual } from 'node:util';
import { Deployment } from 'ots-kubernetes/apps/v1';
import {
  type DeepReadonly,
  type Reconciler,
  type Request,
  type Result,
  isApiError,
  isConditionTrue,
} from 'ots-runtime';
import { ClusterServiceVersion, OperatorCondition, OperatorGroup, Subscription } from '../kinds.ts';
import { thawed } from '../../thawed.ts';
import type { V0Context } from '../v0-context.ts';
import { cleanUp } from './clean-up.ts';
import { isCopied } from './copied.ts';
import { type DeploymentProblem, deploymentProblem, deploymentsOf } from './deployments.ts';
import { unsupportedTargets } from './install-modes.ts';
import { install } from './install.ts';
import { type Phase, hasPhase, withPhase } from './phases.ts';
import { requirementsOf } from './requirements.ts';

/** How long an installation may take, and when OLM looks again at what it waits for. */
const maxInstallMs = 300_000;
const againMs = 5000;

const targetsAnnotation = 'olm.targetNamespaces';
/** Failures that end when the OperatorGroup is right. */
const groupReasons = [
  'NoOperatorGroup',
  'TooManyOperatorGroups',
  'UnsupportedOperatorGroup',
  'NoTargetNamespaces',
];

type Csv = DeepReadonly<ClusterServiceVersion>;

/** Moves a ClusterServiceVersion from one phase to the next. */
export class CsvReconciler implements Reconciler {
  readonly #context: V0Context;

  constructor(context: V0Context) {
    this.#context = context;
  }

  async reconcile({ name, namespace = '' }: Request): Promise<Result | void> {
    const { cache } = this.#context;
    const csv = cache.get(ClusterServiceVersion, { name, namespace });
    if (!csv) return cleanUp({ name, namespace }, this.#context);
    if (isCopied(csv) || csv.metadata.deletionTimestamp !== undefined) return;
    const groups = cache.list(OperatorGroup, { namespace });
    const [group] = groups;
    if (!group || groups.length > 1) return this.#withoutGroup(csv, groups.length);
    const targets = group.status?.namespaces;
    // The OperatorGroup is new.
    if (!targets) return;
    if (await this.#annotate(csv, group, targets)) return;
    const unsupported = targets.length === 0 ? noTargets : unsupportedTargets(csv, targets);
    if (unsupported !== undefined)
      return this.#to(csv, {
        phase: 'Failed',
        reason: targets.length === 0 ? 'NoTargetNamespaces' : 'UnsupportedOperatorGroup',
        message: unsupported,
      });
    return this.#next(csv, targets);
  }

  async #withoutGroup(csv: Csv, count: number): Promise<void> {
    const [reason, message] =
      count === 0
        ? ['NoOperatorGroup', 'csv in namespace with no operatorgroups']
        : [
            'TooManyOperatorGroups',
            "csv created in namespace with multiple operatorgroups, can't pick one automatically",
          ];
    await this.#to(csv, { phase: 'Failed', reason, message });
  }

  /** Writes what the OperatorGroup selects into annotations. @returns whether they were different */
  async #annotate(
    csv: Csv,
    group: DeepReadonly<OperatorGroup>,
    targets: readonly string[],
  ): Promise<boolean> {
    const { client } = this.#context;
    const wanted = {
      'olm.operatorGroup': group.metadata.name!,
      'olm.operatorNamespace': group.metadata.namespace!,
      [targetsAnnotation]: targets.join(','),
    };
    const current = csv.metadata.annotations ?? {};
    if (Object.entries(wanted).every(([key, value]) => current[key] === value)) return false;
    const changed = thawed(csv);
    changed.metadata.annotations = { ...changed.metadata.annotations, ...wanted };
    await client.update(ClusterServiceVersion, changed);
    return true;
  }

  #next(csv: Csv, targets: readonly string[]): Promise<Result | void> {
    switch (csv.status?.phase ?? '') {
      case '':
        return this.#to(csv, {
          phase: 'Pending',
          reason: 'RequirementsUnknown',
          message: 'requirements not yet checked',
        });
      case 'Pending':
        return this.#pending(csv);
      case 'InstallReady':
        return this.#installReady(csv, targets);
      case 'Installing':
        return this.#installing(csv);
      case 'Succeeded':
        return this.#succeeded(csv);
      case 'Failed':
        return this.#failed(csv);
      case 'Replacing':
        return this.#replacing(csv);
      case 'Deleting':
        return this.#delete(csv);
      default:
        return Promise.resolve();
    }
  }

  async #pending(csv: Csv): Promise<Result | void> {
    const replaced = this.#replacedBy(csv);
    const blocked = replaced && this.#notUpgradeable(replaced);
    if (blocked !== undefined)
      return this.#to(csv, {
        phase: 'Pending',
        reason: 'OperatorConditionNotUpgradeable',
        message: `operator is not upgradeable: ${blocked}`,
      });
    const { met, statuses } = await requirementsOf(csv, this.#context.live);
    if (!met) {
      const message = "one or more requirements couldn't be found";
      await this.#to(csv, { phase: 'Pending', reason: 'RequirementsNotMet', message }, statuses);
      return { requeueAfter: againMs };
    }
    const conflict = this.#ownerConflict(csv);
    if (conflict !== undefined)
      return this.#to(csv, { phase: 'Failed', reason: 'OwnerConflict', message: conflict }, statuses);
    // The version before is replaced first.
    if (replaced && replaced.status?.phase !== 'Replacing') return this.#keep(csv, statuses);
    const message = 'all requirements found, attempting install';
    return this.#to(csv, { phase: 'InstallReady', reason: 'AllRequirementsMet', message }, statuses);
  }

  async #installReady(csv: Csv, targets: readonly string[]): Promise<void> {
    try {
      await install(csv, this.#deployments(csv), targets, this.#context);
    } catch (error) {
      if (!isApiError(error)) throw error;
      const message = `install strategy failed: ${error.message}`;
      return this.#to(csv, { phase: 'Failed', reason: 'InstallComponentFailed', message });
    }
    const message = 'waiting for install components to report healthy';
    return this.#to(csv, { phase: 'Installing', reason: 'InstallSucceeded', message });
  }

  async #installing(csv: Csv): Promise<Result | void> {
    const { clock } = this.#context;
    const since = Date.parse(csv.status?.lastTransitionTime ?? '');
    const left = since + maxInstallMs - clock.epoch();
    const problem = this.#problem(csv);
    if (!problem) return this.#succeed(csv);
    if (problem.kind !== 'failed' && left <= 0)
      return this.#to(csv, { phase: 'Failed', reason: 'InstallCheckFailed', message: 'install timeout' });
    await this.#toProblem(csv, problem, { phase: 'Installing', reason: 'InstallWaiting' });
    return { requeueAfter: Math.max(left, 1) };
  }

  async #succeeded(csv: Csv): Promise<void> {
    const next = this.#replacementOf(csv);
    if (next)
      return this.#to(csv, {
        phase: 'Replacing',
        reason: 'BeingReplaced',
        message: `being replaced by csv: ${next.metadata.name}`,
      });
    const { met, statuses } = await requirementsOf(csv, this.#context.live);
    if (!met)
      return this.#to(
        csv,
        { phase: 'Failed', reason: 'RequirementsNotMet', message: 'requirements no longer met' },
        statuses,
      );
    const problem = this.#problem(csv);
    if (problem) return this.#toProblem(csv, problem, { phase: 'Failed', reason: 'ComponentUnhealthy' });
    return this.#succeed(csv);
  }

  async #failed(csv: Csv): Promise<Result | void> {
    const { reason = '' } = csv.status ?? {};
    if (groupReasons.includes(reason)) {
      const message = 'InstallModes now support target namespaces';
      return this.#to(csv, { phase: 'Pending', reason: 'RequirementsUnknown', message });
    }
    const { met, statuses } = await requirementsOf(csv, this.#context.live);
    if (!met)
      return this.#to(
        csv,
        { phase: 'Pending', reason: 'RequirementsNotMet', message: 'requirements not met' },
        statuses,
      );
    if (reason === 'OwnerConflict') return;
    const problem = this.#problem(csv);
    if (!problem) return this.#succeed(csv);
    return this.#toProblem(csv, problem, { phase: 'Pending', reason: 'NeedsReinstall' });
  }

  async #replacing(csv: Csv): Promise<void> {
    // The oldest version goes first.
    if (this.#replacedBy(csv)) return;
    if (this.#replacementOf(csv)?.status?.phase !== 'Succeeded') return;
    const message = 'has been replaced by a newer ClusterServiceVersion that has successfully installed.';
    return this.#to(csv, { phase: 'Deleting', reason: 'Replaced', message });
  }

  async #delete({ metadata }: Csv): Promise<void> {
    const { name = '', namespace } = metadata;
    await this.#context.client.delete(ClusterServiceVersion, { name, namespace });
  }

  #succeed(csv: Csv): Promise<void> {
    const message = 'install strategy completed with no errors';
    return this.#to(csv, { phase: 'Succeeded', reason: 'InstallSucceeded', message });
  }

  #toProblem(csv: Csv, { kind, message }: DeploymentProblem, waiting: Omit<Phase, 'message'>): Promise<void> {
    if (kind === 'failed')
      return this.#to(csv, {
        phase: 'Failed',
        reason: 'InstallCheckFailed',
        message: `install failed: ${message}`,
      });
    const phase = kind === 'reinstall' ? 'InstallReady' : waiting.phase;
    return this.#to(csv, { phase, reason: waiting.reason, message: `installing: ${message}` });
  }

  #deployments(csv: Csv): Deployment[] {
    const { namespace, name } = csv.metadata;
    const subscription = this.#context.cache
      .list(Subscription, { namespace })
      .find(({ status }) => status?.installedCSV === name || status?.currentCSV === name);
    return deploymentsOf(csv, subscription);
  }

  #problem(csv: Csv): DeploymentProblem | undefined {
    const { namespace, name } = csv.metadata;
    return deploymentProblem(this.#deployments(csv), (deployment) => {
      const found = this.#context.cache.get(Deployment, { name: deployment, namespace });
      return found?.metadata.labels?.['olm.owner'] === name ? found : undefined;
    });
  }

  /** The version that is there and that this one replaces. */
  #replacedBy({ spec, metadata }: Csv): Csv | undefined {
    if (!spec.replaces) return undefined;
    return this.#context.cache.get(ClusterServiceVersion, {
      name: spec.replaces,
      namespace: metadata.namespace,
    });
  }

  /** The version that replaces this one. */
  #replacementOf({ metadata: { namespace, name } }: Csv): Csv | undefined {
    return this.#context.cache
      .list(ClusterServiceVersion, { namespace })
      .find(({ spec, metadata }) => spec.replaces === name && metadata.name !== name);
  }

  /** Why the operator must not be upgraded; undefined if it may be. */
  #notUpgradeable({ metadata: { name = '', namespace } }: Csv): string | undefined {
    const condition = this.#context.cache.get(OperatorCondition, { name, namespace });
    const { overrides = [], conditions = [] } = condition?.spec ?? {};
    const decisive =
      overrides.find(({ type }) => type === 'Upgradeable') ??
      conditions.find(({ type }) => type === 'Upgradeable');
    if (!decisive || isConditionTrue([decisive], 'Upgradeable')) return undefined;
    return `The operator is not upgradeable: ${decisive.message}`;
  }

  /** Two operators of a namespace cannot own the same definition, unless one replaces the other. */
  #ownerConflict(csv: Csv): string | undefined {
    const { namespace, name } = csv.metadata;
    const owned = new Set((csv.spec.customresourcedefinitions?.owned ?? []).map((each) => each.name));
    const chain = new Set([name, csv.spec.replaces]);
    for (
      let before = this.#replacedBy(csv);
      before && !chain.has(before.spec.replaces);
      before = this.#replacedBy(before)
    )
      chain.add(before.spec.replaces);
    const other = this.#context.cache
      .list(ClusterServiceVersion, { namespace })
      .filter((each) => !isCopied(each) && !chain.has(each.metadata.name) && each.spec.replaces !== name)
      .find(({ spec }) => (spec.customresourcedefinitions?.owned ?? []).some((crd) => owned.has(crd.name)));
    return other && 'conflicting CRD owner in namespace';
  }

  async #keep(csv: Csv, requirementStatus: Requirements): Promise<void> {
    if (isDeepStrictEqual(csv.status?.requirementStatus, requirementStatus)) return;
    await this.#write(csv, { ...thawed(csv.status ?? {}), requirementStatus });
  }

  async #to(csv: Csv, phase: Phase, requirementStatus?: Requirements): Promise<void> {
    const { events, now } = this.#context;
    const isThere = hasPhase(csv.status && thawed(csv.status), phase);
    if (isThere) return requirementStatus && this.#keep(csv, requirementStatus);
    events.record(csv, phase.phase === 'Failed' ? 'Warning' : 'Normal', phase.reason, phase.message);
    const status = withPhase(thawed(csv.status ?? {}), phase, now());
    await this.#write(csv, { ...status, ...(requirementStatus && { requirementStatus }) });
  }

  async #write(csv: Csv, status: NonNullable<ClusterServiceVersion['status']>): Promise<void> {
    await this.#context.client.status.update(ClusterServiceVersion, { ...thawed(csv), status });
  }
}

type Requirements = NonNullable<NonNullable<ClusterServiceVersion['status']>['requirementStatus']>;

const noTargets = 'no targetNamespaces are matched operatorgroups namespace selection';
