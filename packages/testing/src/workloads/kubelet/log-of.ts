import type { ContainerLog } from '../images/container-log.ts';
import type { ContainerRun } from './container-run.ts';

const pullFailures: Readonly<Record<string, string>> = {
  ErrImagePull: "image can't be pulled",
  ImagePullBackOff: 'trying and failing to pull image',
};

/**
 * The log that a client asks for: that of the container as it is, or of the one before its last restart.
 *
 * @throws {Error} in the words of a kubelet when there is none
 */
export function logOf(run: ContainerRun, pod: string, previous: boolean): ContainerLog {
  const { name } = run.spec;
  const { waiting, terminated } = run.state;
  const before = run.lastState.terminated;
  if (previous) {
    if (before?.containerID) return run.logOf(before.containerID);
    throw new Error(`previous terminated container "${name}" in pod "${pod}" not found`);
  }
  const current = terminated ?? (waiting ? before : undefined);
  const id = current ? current.containerID : run.status.containerID;
  if (id) return run.logOf(id);
  if (current) throw new Error(`container "${name}" in pod "${pod}" is terminated`);
  const reason = waiting?.reason ?? '';
  throw new Error(
    `container "${name}" in pod "${pod}" is waiting to start: ${pullFailures[reason] ?? reason}`,
  );
}
