import { Namespace } from 'ots-kubernetes/core/v1';
import { type DeepReadonly, isApiError } from 'ots-runtime';
import type { Cluster } from '../../deploy/cluster.ts';
import { explainError } from '../../deploy/explain-error.ts';
import { each } from '../../deploy/poll.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import type { Csv } from '../bundle/csv.ts';
import { chooseMode, modeProblem } from './install-mode.ts';
import { OperatorGroup, Subscription } from './kinds.ts';
import { listOf, read } from './requests.ts';

/** A right that `ots run bundle` needs in its namespace. */
interface Right {
  readonly verbs: readonly string[];
  readonly resource: string;
  readonly group: string;
}

/** Server-side apply creates with both. */
const apply = ['create', 'patch'];
const olm = 'operators.coreos.com';
const neededRights: readonly Right[] = [
  { verbs: apply, resource: 'configmaps', group: '' },
  { verbs: apply, resource: 'services', group: '' },
  { verbs: apply, resource: 'deployments', group: 'apps' },
  { verbs: apply, resource: 'catalogsources', group: olm },
  { verbs: [...apply, 'delete'], resource: 'subscriptions', group: olm },
  { verbs: ['patch'], resource: 'installplans', group: olm },
  { verbs: ['get', 'delete'], resource: 'clusterserviceversions', group: olm },
];

/**
 * Checks that OLM v0 is there.
 *
 * @throws OtsError `NO_OLM`
 */
export async function requireOlm(cluster: Cluster, namespace: string): Promise<void> {
  if (await listOf(cluster, Subscription, namespace)) return;
  throw new OtsError('NO_OLM', 'The cluster does not have the Operator Lifecycle Manager (OLM)', {
    hint: 'Install it with ots olm install. For OLM v1, add --v1.',
  });
}

/**
 * Checks that a namespace exists and is not about to go.
 *
 * @throws OtsError `NO_NAMESPACE`
 */
export async function requireNamespace(cluster: Cluster, name: string): Promise<void> {
  const found = await read(cluster, Namespace, name);
  if (found && found.metadata.deletionTimestamp === undefined) return;
  const problem = found ? 'is being deleted' : 'does not exist';
  throw new OtsError('NO_NAMESPACE', `The namespace ${oneLine(name)} ${problem}`, {
    hint: `Create it with kubectl create namespace ${oneLine(name)}, or choose another one with --namespace.`,
  });
}

/**
 * Checks that the user may create what a bundle needs, so that nothing is half done.
 *
 * @param createsGroup whether that includes an OperatorGroup
 * @throws OtsError `NO_RIGHTS` with all that is missing
 */
export async function requireRights(
  cluster: Cluster,
  namespace: string,
  createsGroup: boolean,
): Promise<void> {
  const group = { verbs: apply, resource: 'operatorgroups', group: olm };
  const { results, failure } = await each(
    createsGroup ? [...neededRights, group] : neededRights,
    async ({ verbs, ...on }) => {
      const refused: string[] = [];
      for (const verb of verbs) if (!(await mayDo(cluster, namespace, verb, on))) refused.push(verb);
      return refused.length > 0 ? [`${refused.join(' or ')} ${on.resource}`] : [];
    },
  );
  if (failure) throw failure.error;
  const missing = results.flat();
  if (missing.length === 0) return;
  throw new OtsError(
    'NO_RIGHTS',
    `In the namespace ${oneLine(namespace)} you may not ${missing.join(', ')}`,
    {
      hint: 'Use a context whose user may do this (--context), or ask the administrator of the cluster for the rights.',
    },
  );
}

async function mayDo(
  { client, signal }: Cluster,
  namespace: string,
  verb: string,
  { resource, group }: Pick<Right, 'resource' | 'group'>,
): Promise<boolean> {
  try {
    const review = await client.raw<{ status?: { allowed?: boolean } }>({
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { namespace, verb, resource, group } },
      },
      signal,
    });
    return review.status?.allowed === true;
  } catch (error) {
    signal.throwIfAborted();
    // A server that does not say it refuses the request itself, later.
    if (isApiError(error)) return true;
    throw explainError(error);
  }
}

/**
 * Finds the namespaces that the operator will watch: those of the OperatorGroup in its namespace, or else those of the install mode.
 *
 * @param flag the value of `--install-mode`
 * @returns the namespaces for a new OperatorGroup; undefined if there is one
 * @throws OtsError `OPERATOR_GROUPS` if there are several, `INSTALL_MODE` if the operator cannot run with the one that exists, and of
 *   {@link chooseMode}
 */
export async function targetsOfNewGroup(
  cluster: Cluster,
  csv: Csv,
  namespace: string,
  flag: string | undefined,
): Promise<readonly string[] | undefined> {
  const groups = (await listOf(cluster, OperatorGroup, namespace)) ?? [];
  const [group, second] = groups;
  if (group && second) {
    const names = groups.map(({ metadata: { name = '' } }) => oneLine(name)).join(', ');
    throw new OtsError(
      'OPERATOR_GROUPS',
      `The namespace ${oneLine(namespace)} has several OperatorGroups: ${names}`,
      {
        hint: 'OLM installs nothing there. Delete all but one, or choose another namespace with --namespace.',
      },
    );
  }
  if (!group) return chooseMode(csv, namespace, flag).targetNamespaces;
  checkGroup(group, csv, namespace, flag);
  return undefined;
}

function checkGroup(
  group: DeepReadonly<OperatorGroup>,
  csv: Csv,
  namespace: string,
  flag: string | undefined,
): void {
  const { name = '' } = group.metadata;
  const targets = (group.status?.namespaces ?? group.spec?.targetNamespaces ?? []).filter(Boolean);
  const problem = modeProblem(csv, namespace, targets);
  if (problem !== undefined)
    throw new OtsError(
      'INSTALL_MODE',
      `The OperatorGroup ${oneLine(name)} in ${oneLine(namespace)} ${problem}`,
      {
        hint: 'Choose another namespace with --namespace, or change targetNamespaces of the OperatorGroup.',
      },
    );
  if (flag === undefined) return;
  const { mode, targetNamespaces } = chooseMode(csv, namespace, flag);
  if (targets.toSorted().join() === targetNamespaces.toSorted().join()) return;
  const shown = targets.length === 0 ? 'all namespaces' : targets.map(oneLine).join(', ');
  throw new OtsError(
    'INSTALL_MODE',
    `The OperatorGroup ${oneLine(name)} is for ${shown}, which is not ${mode}`,
    {
      hint: 'Leave out --install-mode to use it, or choose another namespace with --namespace.',
    },
  );
}
