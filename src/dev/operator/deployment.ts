import type { KubernetesObject } from 'ots-kubernetes';
import type { Deployment } from 'ots-kubernetes/apps/v1';
import type { Container } from 'ots-kubernetes/core/v1';
import { expand } from 'ots-testing/tools';
import { OtsError } from '../../errors/ots-error.ts';

/** How the project's Deployment runs the operator. */
export interface OperatorDeployment {
  readonly name: string;
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The container that runs the operator, as kubebuilder names it. */
const container = 'manager';

/**
 * Finds the operator among the objects of a project.
 *
 * @param directory where the objects come from, for the message
 * @throws OtsError `NO_OPERATOR` if no Deployment has the container `manager`
 */
export function operatorDeployment(
  objects: readonly KubernetesObject[],
  directory: string,
): OperatorDeployment {
  for (const object of objects.filter(isDeployment)) {
    const { spec } = object.spec?.template ?? {};
    const manager = spec?.containers.find(({ name }) => name === container);
    if (!spec || !manager) continue;
    const namespace = object.metadata.namespace ?? 'default';
    const serviceAccount = spec.serviceAccountName ?? 'default';
    const env = environmentOf(manager, {
      'metadata.namespace': namespace,
      'spec.serviceAccountName': serviceAccount,
    });
    const args = (manager.args ?? []).map((arg) => expand(arg, env));
    const { name = '' } = object.metadata;
    return { name, namespace, serviceAccount, args, env: Object.fromEntries(env) };
  }
  throw new OtsError('NO_OPERATOR', `No Deployment of ${directory} has a container "${container}"`, {
    hint: 'Restore config/manager, from which ots dev takes the ServiceAccount and the flags of the operator.',
  });
}

/** The variables with a value that is known without a pod. @param fields of the pod, by their paths */
function environmentOf(
  { env = [] }: Container,
  fields: Readonly<Record<string, string>>,
): Map<string, string> {
  const known = new Map<string, string>();
  for (const { name, value = '', valueFrom } of env) {
    const text = valueFrom ? fields[valueFrom.fieldRef?.fieldPath ?? ''] : expand(value, known);
    if (text !== undefined) known.set(name, text);
  }
  return known;
}

/** Whether an object is the Deployment of the operator, which `ots dev` replaces by a process. */
export function isOperator(object: KubernetesObject): boolean {
  return (
    isDeployment(object) &&
    (object.spec?.template.spec?.containers ?? []).some(({ name }) => name === container)
  );
}

function isDeployment(object: KubernetesObject): object is Deployment {
  return object.kind === 'Deployment' && object.apiVersion === 'apps/v1';
}
