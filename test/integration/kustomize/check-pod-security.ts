import type { Manifest } from './manifest.ts';
import { containersOf, podsOf } from './pods.ts';

const allowedVolumes = new Set(
  'configMap csi downwardAPI emptyDir ephemeral persistentVolumeClaim projected secret'.split(' '),
);
const allowedSysctls = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ping_group_range',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.tcp_wmem',
]);
const seccompTypes = ['RuntimeDefault', 'Localhost'];
const seLinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t'];
const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'];

/** What keeps pods from running under the Pod Security Standard "restricted" (Kubernetes documentation, Linux pods). */
export function checkPodSecurity(all: readonly Manifest[]): string[] {
  return podsOf(all).flatMap(({ owner, spec }) => {
    const containers = containersOf(spec).flatMap((container) =>
      containerProblems(container, spec.securityContext ?? {}).map(
        (problem) => `${container.name}: ${problem}`,
      ),
    );
    return [...podProblems(spec), ...containers].map((problem) => `${owner}: ${problem}`);
  });
}

function podProblems(spec: any): string[] {
  const problems = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field]);
  for (const { name, ...source } of spec.volumes ?? []) {
    const [type = 'none'] = Object.keys(source);
    if (!allowedVolumes.has(type)) problems.push(`volume ${name} is of the type ${type}`);
  }
  const context = spec.securityContext ?? {};
  for (const { name } of context.sysctls ?? [])
    if (!allowedSysctls.has(name)) problems.push(`sysctl ${name}`);
  return [...problems, ...contextProblems(context)];
}

/** What neither a pod nor a container may ask for. */
function contextProblems(context: any): string[] {
  const { runAsNonRoot, runAsUser, seccompProfile, seLinuxOptions, appArmorProfile, windowsOptions } =
    context;
  return [
    runAsNonRoot === false && 'runAsNonRoot is false',
    runAsUser === 0 && 'runAsUser is 0',
    seccompProfile && !seccompTypes.includes(seccompProfile.type) && `seccomp profile ${seccompProfile.type}`,
    seLinuxOptions &&
      !seLinuxTypes.includes(seLinuxOptions.type ?? '') &&
      `SELinux type ${seLinuxOptions.type}`,
    (seLinuxOptions?.user || seLinuxOptions?.role) && 'SELinux user or role',
    appArmorProfile?.type === 'Unconfined' && 'AppArmor is off',
    windowsOptions?.hostProcess && 'hostProcess',
  ].filter((problem) => typeof problem === 'string');
}

function containerProblems(container: any, pod: any): string[] {
  const context = container.securityContext ?? {};
  const { drop = [], add = [] } = context.capabilities ?? {};
  const handlers = [
    ...probes.map((probe) => container[probe]),
    container.lifecycle?.postStart,
    container.lifecycle?.preStop,
  ];
  return [
    (context.runAsNonRoot ?? pod.runAsNonRoot) !== true && 'runAsNonRoot is not set',
    !(context.seccompProfile ?? pod.seccompProfile) && 'no seccomp profile',
    context.allowPrivilegeEscalation !== false && 'allowPrivilegeEscalation is not false',
    !drop.includes('ALL') && 'capabilities are not dropped',
    add.some((name: string) => name !== 'NET_BIND_SERVICE') && `capabilities ${add.join(', ')}`,
    context.privileged && 'privileged',
    (context.procMount ?? 'Default') !== 'Default' && `procMount ${context.procMount}`,
    (container.ports ?? []).some(({ hostPort }: any) => hostPort) && 'hostPort',
    handlers.some((handler) => handler?.httpGet?.host || handler?.tcpSocket?.host) &&
      'a probe of another host',
    ...contextProblems(context),
  ].filter((problem) => typeof problem === 'string');
}
