/** A pod that the level `restricted` accepts. */
const securityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};
const container = (name: string, more: any = {}, context: object = {}) => ({
  name,
  image: 'i',
  securityContext: { ...securityContext, ...context },
  ...more,
});
const pod = (spec: object, annotations?: object): any => ({
  ...(annotations && { metadata: { annotations } }),
  spec: { containers: [container('a')], ...spec },
});
const contextOf = (context: object) => pod({ containers: [container('a', {}, context)] });
const contextsOf = (...contexts: object[]) =>
  pod({ containers: contexts.map((context, index) => container(`c${index}`, {}, context)) });
const podContext = (context: object) => pod({ securityContext: context });
const bare = (name: string) => ({ name, image: 'i' });
const sysctls = (...names: string[]) => podContext({ sysctls: names.map((name) => ({ name, value: '1' })) });
const volumes = (...sources: object[]) =>
  pod({ volumes: sources.map((source, index) => ({ name: `v${index}`, ...source })) });
const probe = (host: string) => ({ httpGet: { path: '/', port: 80, host } });

/** Pods whose answer depends on the version of the policy, by what is special about them. */
export const versionedPods: Record<string, any> = {
  plain: { spec: { containers: [bare('a'), bare('b')] } },
  compliant: pod({}),
  windows: {
    spec: {
      os: { name: 'windows' },
      securityContext: { runAsNonRoot: true },
      containers: [bare('a')],
    },
  },
  'windows with users': { spec: { os: { name: 'windows' }, containers: [bare('a')] } },
  'no capability dropped': contextOf({ capabilities: {} }),
  'a capability added': contextOf({ capabilities: { drop: ['ALL'], add: ['SYS_TIME', 'CHOWN'] } }),
  root: contextOf({ runAsUser: 0 }),
  'root in a user namespace': pod({
    hostUsers: false,
    securityContext: { runAsUser: 0, runAsNonRoot: false },
    containers: [container('a', {}, { runAsNonRoot: undefined, procMount: 'Unmasked' })],
  }),
  'unmasked proc': contextOf({ procMount: 'Unmasked' }),
  'seccomp annotations': pod(
    {},
    {
      'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
      'container.seccomp.security.alpha.kubernetes.io/a': 'a"b',
      'container.seccomp.security.alpha.kubernetes.io/other': 'unconfined',
    },
  ),
  'a confined seccomp annotation': pod({}, { 'seccomp.security.alpha.kubernetes.io/pod': 'localhost/x' }),
  'no seccomp': contextOf({ seccompProfile: undefined }),
  'unconfined seccomp': contextOf({ seccompProfile: { type: 'Unconfined' } }),
  'engine of containers': podContext({ seLinuxOptions: { type: 'container_engine_t' } }),
  'reserved ports': sysctls('net.ipv4.ip_local_reserved_ports'),
  keepalive: sysctls('net.ipv4.tcp_keepalive_time', 'net.ipv4.tcp_rmem'),
  'probe host': pod({ containers: [container('a', { livenessProbe: probe('1.2.3.4') })] }),
};

/** Pods that the newest version of a level judges, by what is special about them. */
export const pods: Record<string, any> = {
  ...versionedPods,
  'host namespaces': pod({ hostNetwork: true, hostPID: true, hostIPC: true }),
  'host network': pod({ hostNetwork: true }),
  'host paths': volumes({ hostPath: { path: '/a' } }, { hostPath: { path: '/b' } }),
  'a host path': volumes({ hostPath: { path: '/a' } }),
  'host ports': pod({
    containers: [
      container('a', { ports: [{ containerPort: 80, hostPort: 8080 }, { containerPort: 9 }] }),
      container('b', { ports: [{ containerPort: 81, hostPort: 90 }] }),
    ],
  }),
  'a host port': pod({ containers: [container('a', { ports: [{ containerPort: 80, hostPort: 80 }] })] }),
  privileged: contextOf({ privileged: true, allowPrivilegeEscalation: true }),
  'privileged init container': pod({
    initContainers: [container('z', {}, { privileged: true, allowPrivilegeEscalation: true })],
    containers: [container('a', {}, { privileged: true, allowPrivilegeEscalation: undefined })],
  }),
  'some escalating': contextsOf({}, { allowPrivilegeEscalation: undefined }),
  'more capabilities': contextsOf(
    { capabilities: { add: ['SYS_ADMIN', 'NET_RAW', 'CHOWN'] } },
    { capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } },
    { capabilities: { drop: ['CHOWN'], add: ['NET_RAW'] } },
  ),
  'proc of two': contextsOf({ procMount: 'Unmasked' }, { procMount: 'Default' }, { procMount: 'Unmasked' }),
  'users of the pod': podContext({ runAsUser: 0, runAsNonRoot: false }),
  'users of both': pod({
    securityContext: { runAsUser: 0, runAsNonRoot: false },
    containers: [
      container('a', {}, { runAsUser: 0, runAsNonRoot: false }),
      container('b', {}, { runAsUser: 5 }),
      container('c', {}, { runAsNonRoot: false }),
    ],
  }),
  'users of the pod only': pod({
    securityContext: { runAsNonRoot: true },
    containers: [container('a', {}, { runAsNonRoot: undefined })],
  }),
  'silent users': contextsOf({ runAsNonRoot: undefined }, {}, { runAsNonRoot: undefined }),
  'selinux of the pod': podContext({ seLinuxOptions: { type: 'spc_t', user: 'u', role: 'r' } }),
  'selinux of both': pod({
    securityContext: { seLinuxOptions: { type: 'spc_t' } },
    containers: [container('a', {}, { seLinuxOptions: { type: 'b_t', role: 'r' } }), container('b')],
  }),
  'allowed selinux': podContext({ seLinuxOptions: { type: 'container_t', level: 's0' } }),
  'seccomp of both': pod({
    securityContext: { seccompProfile: { type: 'Unconfined' } },
    containers: [container('a', {}, { seccompProfile: { type: 'Unconfined' } })],
  }),
  'seccomp of the pod only': pod({
    securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'x' } },
    containers: [container('a', {}, { seccompProfile: undefined })],
  }),
  'silent seccomp': contextsOf({ seccompProfile: undefined }, { seccompProfile: undefined }),
  'app armor': pod({
    securityContext: { appArmorProfile: { type: 'Unconfined' } },
    containers: [container('a', {}, { appArmorProfile: { type: 'Unconfined' } })],
  }),
  'app armor annotation': pod(
    { containers: [container('a', {}, { appArmorProfile: { type: 'Unconfined' } })] },
    { 'container.apparmor.security.beta.kubernetes.io/a': 'unconfined' },
  ),
  'allowed app armor': pod(
    { containers: [container('a', {}, { appArmorProfile: { type: 'RuntimeDefault' } })] },
    { 'container.apparmor.security.beta.kubernetes.io/a': 'runtime/default' },
  ),
  'unsafe sysctls': sysctls('kernel.msgmax', 'net.ipv4.tcp_syncookies', 'net.core.somaxconn'),
  'windows processes': {
    spec: {
      os: { name: 'windows' },
      hostNetwork: true,
      securityContext: { windowsOptions: { hostProcess: true }, runAsNonRoot: true },
      containers: [{ ...bare('a'), securityContext: { windowsOptions: { hostProcess: true } } }],
    },
  },
  'volume types': volumes(
    { nfs: { server: 's', path: '/x' } },
    { emptyDir: {} },
    { hostPath: { path: '/a' } },
    { iscsi: { targetPortal: '1.2.3.4', iqn: 'iqn.2001-04.com.example:x', lun: 0 } },
    { rbd: { monitors: ['m'], image: 'i' } },
    { fc: { targetWWNs: ['w'], lun: 0 } },
  ),
  'allowed volumes': volumes(
    { configMap: { name: 'c' } },
    { secret: { secretName: 's' } },
    { projected: { sources: [{ configMap: { name: 'c' } }] } },
    { persistentVolumeClaim: { claimName: 'c' } },
    { csi: { driver: 'd.example.com' } },
    { downwardAPI: {} },
    { image: { reference: 'i' } },
  ),
  'probe hosts': pod({
    containers: [
      container('b', {
        readinessProbe: probe('b.example.com'),
        startupProbe: { tcpSocket: { port: 80, host: 'a.example.com' } },
      }),
      container('a', {
        lifecycle: { preStop: probe('b.example.com'), postStart: { httpGet: { port: 1, path: '/' } } },
      }),
    ],
  }),
  'generated name': {
    ...contextOf({ privileged: true, allowPrivilegeEscalation: true }),
    metadata: { generateName: 'gen-' },
  },
};
