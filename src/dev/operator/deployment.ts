import type { KubernetesObject } from 'ots-kubernetes';
import type { Deployment } from 'ots-kubernetes/apps/v1';
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
    return {
      name: object.metadata.name ?? '',
      namespace,
      serviceAccount: spec.serviceAccountName ?? 'default',
      args: manager.args ?? [],
      env: Object.fromEntries(
        (manager.env ?? []).flatMap(({ name, value, valueFrom }) => {
          const text = valueFrom?.fieldRef?.fieldPath === 'metadata.namespace' ? namespace : value;
          return text === undefined ? [] : [[name, text]];
        }),
      ),
    };
  }
  throw new OtsError('NO_OPERATOR', `No Deployment of ${directory} has a container "${container}"`, {
    hint: 'Restore config/manager, from which ots dev takes the ServiceAccount and the flags of the operator.',
  });
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
