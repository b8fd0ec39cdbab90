import {
  type UserInfo,
  authenticated,
  serviceAccountGroups,
  serviceAccountUser,
} from '../authentication/user-info.ts';
import type { Random } from '../random/random.ts';
import type { WriteOptions } from '../registry/target.ts';

const namespace = 'kube-system';

/**
 * The ServiceAccount that a controller of a cluster writes as. The server does not store it, and does not ask whether it may
 * write: its default roles let it.
 *
 * @param name such as `namespace-controller`
 */
export function controllerUser(name: string, random: Random): UserInfo {
  return authenticated({
    name: serviceAccountUser(namespace, name),
    uid: random.uuid(),
    groups: serviceAccountGroups(namespace),
    extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${random.uuid()}`] },
  });
}

/** The options of a controller's writes: the field manager of a real cluster's controllers. */
export function controllerWrite(user: UserInfo): WriteOptions {
  return { user, dryRun: false, manager: 'kube-controller-manager' };
}
