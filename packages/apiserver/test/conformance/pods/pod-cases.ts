/** A pod of one container, with what a case is about. */
export function podOf(spec: object = {}, metadata: object = {}): any {
  return { metadata, spec: { containers: [container()], ...spec } };
}

/** A container, with what a case is about. */
export function container(fields: object = {}): any {
  return { name: 'a', image: 'a', ...fields };
}

const withContainer = (fields: object, spec: object = {}) =>
  podOf({ containers: [container(fields)], ...spec });
const withVolume = (source: object) => podOf({ volumes: [{ name: 'v', ...source }] });
const withEnv = (...env: object[]) => withContainer({ env });
const withValueFrom = (valueFrom: object) => withEnv({ name: 'E', valueFrom });
const withMount = (mount: object, volumes: object[] = [{ name: 'v' }]) =>
  withContainer({ volumeMounts: [{ name: 'v', mountPath: '/v', ...mount }] }, { volumes });
const withProbe = (probe: object, purpose = 'livenessProbe') =>
  withContainer({ [purpose]: { exec: { command: ['a'] }, ...probe } });
const withResources = (resources: object) => withContainer({ resources });
const withSecurity = (securityContext: object) => withContainer({ securityContext });
const withPodSecurity = (securityContext: object, spec: object = {}) => podOf({ securityContext, ...spec });
const withToleration = (...tolerations: object[]) => podOf({ tolerations });
const withNodes = (...nodeSelectorTerms: object[]) =>
  podOf({
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
    },
  });
const withPods = (term: object, kind = 'podAffinity') =>
  podOf({ affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } });
const withSpread = (...topologySpreadConstraints: object[]) => podOf({ topologySpreadConstraints });
const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
const withProjected = (...sources: object[]) => withVolume({ projected: { sources } });
const withPort = (...ports: object[]) => withContainer({ ports });
const withInit = (...initContainers: object[]) => podOf({ initContainers });
const init = (fields: object = {}) => container({ name: 'i', ...fields });
const long = (length: number) => 'a'.repeat(length);
const httpGet = { port: 80 };

/** Invalid and unusual pods. The answer to each is recorded. */
export const podCases: readonly (readonly [name: string, pod: any])[] = [
  // Containers.
  ['no containers', { spec: { containers: [] } }],
  ['no spec', {}],
  ['a container without a name', podOf({ containers: [{ image: 'a' }] })],
  ['a container without an image', podOf({ containers: [{ name: 'a' }] })],
  ['a container with an upper-case name', withContainer({ name: 'Upper' })],
  ['a container with dots in its name', withContainer({ name: 'a.b' })],
  ['a container with a long name', withContainer({ name: long(64) })],
  ['two containers of one name', podOf({ containers: [container(), container()] })],
  ['an image with spaces around it', withContainer({ image: ' a ' })],
  ['a pull policy that does not exist', withContainer({ imagePullPolicy: 'Sometimes' })],
  ['a termination message policy that does not exist', withContainer({ terminationMessagePolicy: 'No' })],
  [
    'a resize policy for another resource',
    withContainer({ resizePolicy: [{ resourceName: 'x', restartPolicy: 'NotRequired' }] }),
  ],
  [
    'two resize policies for one resource',
    withContainer({
      resizePolicy: [
        { resourceName: 'cpu', restartPolicy: 'NotRequired' },
        { resourceName: 'cpu', restartPolicy: 'No' },
      ],
    }),
  ],
  [
    'a resize that restarts a pod that is not restarted',
    withContainer(
      { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] },
      { restartPolicy: 'Never' },
    ),
  ],
  ['an empty resize policy', withContainer({ resizePolicy: [{}] })],
  ['a container with a restart policy', withContainer({ restartPolicy: 'Always' })],
  ['a container with a restart policy that does not exist', withContainer({ restartPolicy: 'No' })],
  [
    'restart rules without a policy',
    withContainer({
      restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }],
    }),
  ],
  [
    'restart rules that do not fit',
    withContainer({
      restartPolicy: 'Never',
      restartPolicyRules: [{ action: 'No' }, { action: 'Restart', exitCodes: { operator: 'No' } }],
    }),
  ],
  // Ports.
  ['a port without a number', withPort({ name: 'a' })],
  ['a port with a large number', withPort({ containerPort: 65536 })],
  ['a port with a negative number', withPort({ containerPort: -1, hostPort: -1 })],
  ['a port with another protocol', withPort({ containerPort: 1, protocol: 'ICMP' })],
  ['two ports of one name', withPort({ name: 'a', containerPort: 1 }, { name: 'a', containerPort: 2 })],
  ['a port with a long name', withPort({ name: 'abcdefghijklmnop', containerPort: 1 })],
  [
    'ports with odd names',
    withPort(
      { name: '-a--b-', containerPort: 1 },
      { name: '12', containerPort: 2 },
      { name: 'A', containerPort: 3 },
    ),
  ],
  [
    'two containers with one port of the node',
    podOf({
      containers: [
        container({ ports: [{ containerPort: 1, hostPort: 5 }] }),
        container({ name: 'b', ports: [{ containerPort: 2, hostPort: 5 }] }),
      ],
    }),
  ],
  [
    'the same port of the node twice',
    withPort({ containerPort: 1, hostPort: 5 }, { containerPort: 2, hostPort: 5 }),
  ],
  [
    'a host network with other ports',
    podOf({ hostNetwork: true, containers: [container({ ports: [{ containerPort: 1, hostPort: 2 }] })] }),
  ],
  // Environment.
  ['a variable without a name', withEnv({ value: 'a' })],
  ['variables with odd names', withEnv({ name: 'a=b' }, { name: 'ä' }, { name: '1 a' }, { name: '..' })],
  ['a variable from nowhere', withValueFrom({})],
  [
    'a variable with a value and a source',
    withEnv({ name: 'E', value: 'a', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }),
  ],
  [
    'a variable from two sources',
    withValueFrom({ fieldRef: { fieldPath: 'metadata.name' }, secretKeyRef: { name: 'a', key: 'a' } }),
  ],
  [
    'a variable from a field that does not exist',
    withValueFrom({ fieldRef: { fieldPath: 'metadata.nothing' } }),
  ],
  [
    'a variable from a field that it cannot be from',
    withValueFrom({ fieldRef: { fieldPath: 'metadata.labels' } }),
  ],
  ['a variable from the phase', withValueFrom({ fieldRef: { fieldPath: 'status.phase' } })],
  ['a variable from a label', withValueFrom({ fieldRef: { fieldPath: "metadata.labels['a/b/c']" } })],
  ['a variable from an annotation', withValueFrom({ fieldRef: { fieldPath: "metadata.annotations['A!']" } })],
  ['a variable from a part of the name', withValueFrom({ fieldRef: { fieldPath: "metadata.name['a']" } })],
  [
    'a variable from a field of another version',
    withValueFrom({ fieldRef: { apiVersion: 'v2', fieldPath: 'metadata.name' } }),
  ],
  ['a variable from no field', withValueFrom({ fieldRef: {} })],
  ['a variable from the host', withValueFrom({ fieldRef: { fieldPath: 'spec.host' } })],
  ['a variable from no resource', withValueFrom({ resourceFieldRef: {} })],
  ['a variable from another resource', withValueFrom({ resourceFieldRef: { resource: 'limits.gpu' } })],
  [
    'a variable with a divisor of CPU',
    withValueFrom({ resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } }),
  ],
  [
    'a variable with a divisor of memory',
    withValueFrom({ resourceFieldRef: { resource: 'requests.memory', divisor: '2Mi' } }),
  ],
  [
    'a variable with a divisor of storage',
    withValueFrom({ resourceFieldRef: { resource: 'limits.ephemeral-storage', divisor: '3' } }),
  ],
  [
    'a variable with a divisor of huge pages',
    withValueFrom({ resourceFieldRef: { resource: 'limits.hugepages-2Mi', divisor: '3' } }),
  ],
  ['a variable from a key without a name', withValueFrom({ configMapKeyRef: { name: '', key: 'a' } })],
  ['a variable from a secret without a key', withValueFrom({ secretKeyRef: { name: 'Upper' } })],
  ['a variable from a key that is none', withValueFrom({ secretKeyRef: { name: 'a', key: '../a b' } })],
  ['a variable from a file', withValueFrom({ fileKeyRef: { volumeName: 'v', path: '../a', key: 'a=b' } })],
  ['a variable from no file', withValueFrom({ fileKeyRef: {} })],
  [
    'a variable from a file of a secret',
    podOf({
      volumes: [{ name: 'v', secret: { secretName: 's' } }],
      containers: [
        container({
          env: [{ name: 'E', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'a', key: 'a' } } }],
        }),
      ],
    }),
  ],
  ['variables from nowhere', withContainer({ envFrom: [{}] })],
  [
    'variables from two places',
    withContainer({ envFrom: [{ prefix: 'a=', configMapRef: { name: '' }, secretRef: { name: 'A_' } }] }),
  ],
  // Volumes.
  ['a volume without a name', podOf({ volumes: [{ emptyDir: {} }] })],
  ['two volumes of one name', podOf({ volumes: [{ name: 'v' }, { name: 'v' }] })],
  ['a volume with dots in its name', podOf({ volumes: [{ name: 'v.v' }] })],
  ['a volume from two sources', withVolume({ emptyDir: {}, hostPath: { path: '/' } })],
  ['a volume from three sources', withVolume({ downwardAPI: {}, secret: {}, cephfs: { monitors: [] } })],
  ['an empty folder of a negative size', withVolume({ emptyDir: { sizeLimit: '-1' } })],
  ['a folder of the node without a path', withVolume({ hostPath: {} })],
  ['a folder of the node that climbs', withVolume({ hostPath: { path: '/a/../b', type: 'No' } })],
  ['a secret without a name', withVolume({ secret: { defaultMode: 512, items: [{ key: '', path: '' }] } })],
  [
    'a config map with odd files',
    withVolume({
      configMap: {
        name: 'a',
        defaultMode: -1,
        items: [
          { key: 'a', path: '/a', mode: 1000 },
          { key: 'b', path: '../b' },
          { key: 'c', path: '..c' },
          { key: 'd', path: '..' },
        ],
      },
    }),
  ],
  ['a config map without a name', withVolume({ configMap: {} })],
  ['a claim without a name', withVolume({ persistentVolumeClaim: { claimName: '' } })],
  ['NFS without anything', withVolume({ nfs: { server: '', path: '' } })],
  [
    'iSCSI with odd names',
    withVolume({
      iscsi: { targetPortal: '', iqn: 'x', lun: 256, chapAuthSession: true, initiatorName: 'iqn.no' },
    }),
  ],
  ['iSCSI with an odd qualified name', withVolume({ iscsi: { targetPortal: 'a', iqn: 'eui.0', lun: 1 } })],
  ['Ceph without monitors', withVolume({ rbd: { monitors: [], image: '' } })],
  ['a disk of a cloud', withVolume({ gcePersistentDisk: { pdName: '', partition: 256 } })],
  ['a disk of another cloud', withVolume({ awsElasticBlockStore: { volumeID: '', partition: -1 } })],
  ['a repository', withVolume({ gitRepo: { repository: '', directory: '/../a' } })],
  ['GlusterFS', withVolume({ glusterfs: { endpoints: '', path: '' } })],
  ['Flocker', withVolume({ flocker: {} })],
  ['Flocker with two names', withVolume({ flocker: { datasetName: 'a/b', datasetUUID: 'c' } })],
  ['Cinder', withVolume({ cinder: { volumeID: '', secretRef: {} } })],
  ['CephFS', withVolume({ cephfs: { monitors: [] } })],
  ['Quobyte', withVolume({ quobyte: { registry: 'nowhere', volume: '' } })],
  ['fibre channel', withVolume({ fc: {} })],
  ['fibre channel with everything', withVolume({ fc: { targetWWNs: ['a'], wwids: ['b'], lun: 256 } })],
  ['a flex volume', withVolume({ flexVolume: { driver: '', options: { 'a.kubernetes.io/x': 'a' } } })],
  ['an Azure file', withVolume({ azureFile: { secretName: '', shareName: '' } })],
  [
    'an Azure disk',
    withVolume({ azureDisk: { diskName: '', diskURI: 'http://a', cachingMode: 'No', kind: 'Managed' } }),
  ],
  [
    'vSphere, Photon and others',
    podOf({
      volumes: [
        { name: 'a', vsphereVolume: { volumePath: '' } },
        { name: 'b', photonPersistentDisk: { pdID: '' } },
        { name: 'c', portworxVolume: { volumeID: '' } },
        { name: 'd', storageos: { secretRef: {} } },
        { name: 'e', scaleIO: { gateway: '', system: '', secretRef: null } },
      ],
    }),
  ],
  ['a driver without a name', withVolume({ csi: { driver: '', nodePublishSecretRef: {} } })],
  ['a driver with an odd name', withVolume({ csi: { driver: 'A_b', nodePublishSecretRef: { name: 'A' } } })],
  ['an ephemeral volume without a template', withVolume({ ephemeral: {} })],
  [
    'an ephemeral volume with an empty template',
    withVolume({ ephemeral: { volumeClaimTemplate: { spec: {} } } }),
  ],
  [
    'an ephemeral volume with odd settings',
    withVolume({
      ephemeral: {
        volumeClaimTemplate: {
          metadata: { name: 'x', labels: { 'a!': 'b' } },
          spec: {
            accessModes: ['ReadWriteOncePod', 'ReadWriteOnce', 'No'],
            storageClassName: 'A',
            volumeMode: 'No',
            resources: { requests: { storage: '0' } },
            dataSource: { kind: 'ConfigMap', name: '' },
          },
        },
      },
    }),
  ],
  [
    'a claim of an ephemeral volume',
    podOf(
      {
        volumes: [
          {
            name: 'v',
            ephemeral: {
              volumeClaimTemplate: {
                spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } },
              },
            },
          },
          { name: 'w', persistentVolumeClaim: { claimName: 'x-v' } },
        ],
      },
      { name: 'x' },
    ),
  ],
  ['an image volume', withVolume({ image: { pullPolicy: 'No' } })],
  [
    'a downward file without a source',
    withVolume({ downwardAPI: { defaultMode: 512, items: [{ path: '' }] } }),
  ],
  [
    'a downward file from two sources',
    withVolume({
      downwardAPI: {
        items: [
          {
            path: 'a',
            mode: -1,
            fieldRef: { fieldPath: 'spec.nodeName' },
            resourceFieldRef: { resource: 'limits.cpu' },
          },
        ],
      },
    }),
  ],
  [
    'a downward file from a resource of nobody',
    withVolume({ downwardAPI: { items: [{ path: 'a', resourceFieldRef: { resource: 'limits.cpu' } }] } }),
  ],
  [
    'projected files that meet',
    withProjected(
      { secret: { name: 'a', items: [{ key: 'a', path: 'x' }] } },
      { configMap: { name: '', items: [{ key: 'b', path: 'x' }] } },
    ),
  ],
  ['a projection of two sources', withProjected({ secret: { name: '' }, configMap: { name: 'a' } })],
  ['a projection of nothing', withProjected({})],
  [
    'projected downward files that meet',
    withProjected({
      downwardAPI: {
        items: [
          { path: 'a', fieldRef: { fieldPath: 'metadata.name' } },
          { path: 'a', fieldRef: { fieldPath: 'metadata.uid' } },
        ],
      },
    }),
  ],
  ['a token without an account', withProjected({ serviceAccountToken: { path: 'a' } })],
  [
    'a token that ends soon',
    podOf({
      serviceAccountName: 'a',
      volumes: [
        {
          name: 'v',
          projected: {
            defaultMode: 600,
            sources: [
              { serviceAccountToken: { expirationSeconds: 1, path: '' } },
              { serviceAccountToken: { expirationSeconds: 4294967297, path: '/a' } },
            ],
          },
        },
      ],
    }),
  ],
  // Mounts.
  ['a mount of no volume', withMount({}, [])],
  ['a mount of a volume that is wrong', withMount({}, [{ name: 'v', secret: {} }])],
  ['a mount without a path', withMount({ mountPath: '' })],
  ['a mount without a name', withMount({ name: '' })],
  [
    'two mounts in one place',
    withContainer(
      {
        volumeMounts: [
          { name: 'v', mountPath: '/v' },
          { name: 'v', mountPath: '/v' },
        ],
      },
      { volumes: [{ name: 'v' }] },
    ),
  ],
  ['a mount with two sub-paths', withMount({ subPath: '/a', subPathExpr: '../b' })],
  ['a mount that propagates', withMount({ mountPropagation: 'Bidirectional' })],
  ['a mount that propagates otherwise', withMount({ mountPropagation: 'No' })],
  [
    'a mount that is recursively read-only',
    withMount({ recursiveReadOnly: 'Enabled', mountPropagation: 'HostToContainer' }),
  ],
  ['a mount that is otherwise read-only', withMount({ recursiveReadOnly: 'No' })],
  [
    'a device of a folder',
    withContainer({ volumeDevices: [{ name: 'v', devicePath: '/../v' }] }, { volumes: [{ name: 'v' }] }),
  ],
  [
    'devices that are mounts',
    withContainer(
      {
        volumeMounts: [{ name: 'v', mountPath: '/v' }],
        volumeDevices: [
          { name: 'v', devicePath: '/v' },
          { name: 'v', devicePath: '/v' },
          { name: '', devicePath: '' },
        ],
      },
      { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] },
    ),
  ],
  // Probes.
  ['a probe without an action', withContainer({ livenessProbe: {} })],
  ['a probe with two actions', withProbe({ tcpSocket: { port: 80 } })],
  ['a probe with all actions', withProbe({ tcpSocket: { port: 80 }, httpGet, grpc: { port: 80 } })],
  [
    'a probe with negative numbers',
    withProbe({
      initialDelaySeconds: -1,
      timeoutSeconds: -1,
      periodSeconds: -1,
      successThreshold: -1,
      failureThreshold: -1,
    }),
  ],
  ['a liveness probe that succeeds twice', withProbe({ successThreshold: 2 })],
  ['a startup probe that succeeds twice', withProbe({ successThreshold: 2 }, 'startupProbe')],
  ['a readiness probe that succeeds twice', withProbe({ successThreshold: 2 }, 'readinessProbe')],
  [
    'a readiness probe with a grace period',
    withProbe({ terminationGracePeriodSeconds: 1 }, 'readinessProbe'),
  ],
  ['a startup probe without a grace period', withProbe({ terminationGracePeriodSeconds: 0 }, 'startupProbe')],
  ['a command without a command', withProbe({ exec: {} })],
  [
    'a request with odd settings',
    withContainer({
      livenessProbe: { httpGet: { port: 0, scheme: 'FTP', httpHeaders: [{ name: 'a b', value: '' }] } },
    }),
  ],
  ['a request to a named port', withContainer({ livenessProbe: { httpGet: { port: 'No_Port' } } })],
  ['a connection to no port', withContainer({ readinessProbe: { tcpSocket: { port: '' } } })],
  ['a call to a large port', withContainer({ startupProbe: { grpc: { port: 70000 } } })],
  ['a lifecycle of nothing', withContainer({ lifecycle: { postStart: {}, preStop: { exec: {} } } })],
  ['a long sleep', withContainer({ lifecycle: { preStop: { sleep: { seconds: 31 } } } })],
  ['a sleep of no time', withContainer({ lifecycle: { preStop: { sleep: { seconds: 0 } } } })],
  [
    'a negative sleep and a request',
    withContainer({
      lifecycle: { preStop: { httpGet, sleep: { seconds: -1 } }, postStart: { sleep: { seconds: -1 } } },
    }),
  ],
  ['a signal to stop', withContainer({ lifecycle: { stopSignal: 'SIGNO' } })],
  // Resources.
  ['a request above the limit', withResources({ requests: { cpu: '2' }, limits: { cpu: '1' } })],
  ['negative resources', withResources({ requests: { cpu: '-1' }, limits: { memory: '-1Mi' } })],
  ['a resource that does not exist', withResources({ limits: { gpu: 1 } })],
  ['a resource of quotas', withResources({ limits: { pods: 1, 'requests.cpu': '1' } })],
  ['a resource with an odd name', withResources({ limits: { 'a b': 1 } })],
  ['half a device', withResources({ limits: { 'example.com/gpu': '500m' } })],
  ['a device that is only asked for', withResources({ requests: { 'example.com/gpu': 1 } })],
  [
    'a device that may be more',
    withResources({ requests: { 'example.com/gpu': 1 }, limits: { 'example.com/gpu': 2 } }),
  ],
  ['a device with the name of a quota', withResources({ limits: { 'requests.example.com/gpu': 1 } })],
  ['a device of Kubernetes', withResources({ limits: { 'kubernetes.io/gpu': 1 } })],
  ['huge pages alone', withResources({ limits: { 'hugepages-2Mi': '4Mi' } })],
  ['half a huge page', withResources({ limits: { cpu: 1, 'hugepages-2Mi': '1Mi' } })],
  [
    'huge pages that may be more',
    withResources({ limits: { cpu: 1, 'hugepages-2Mi': '4Mi' }, requests: { 'hugepages-2Mi': '2Mi' } }),
  ],
  ['a claim of nobody', withResources({ claims: [{ name: 'a' }] })],
  [
    'claims that are there twice',
    podOf({
      resourceClaims: [{ name: 'c', resourceClaimName: 'c' }],
      containers: [
        container({
          resources: {
            claims: [
              { name: 'c', request: 'A' },
              { name: 'c', request: 'A' },
              { name: 'c' },
              { name: '' },
              { name: 'd' },
            ],
          },
        }),
      ],
    }),
  ],
  [
    'resource claims that do not fit',
    podOf({
      resourceClaims: [
        { name: 'A' },
        { name: 'b', resourceClaimName: 'B', resourceClaimTemplateName: 'C' },
        { name: 'b', resourceClaimName: 'b' },
        { resourceClaimName: 'c' },
      ],
    }),
  ],
  [
    'resources of the pod that are too small',
    podOf({
      resources: { requests: { cpu: '1' }, limits: { cpu: '1' } },
      containers: [container({ resources: { requests: { cpu: '2' }, limits: { cpu: '3' } } })],
    }),
  ],
  [
    'resources of the pod that do not exist',
    podOf({
      resources: {
        requests: { 'ephemeral-storage': '1' },
        limits: { cpu: '1', gpu: 1 },
        claims: [{ name: 'a' }],
      },
    }),
  ],
  ['overhead', podOf({ overhead: { cpu: '-1', gpu: 1 } })],
  // The pod.
  ['a restart policy that does not exist', podOf({ restartPolicy: 'Sometimes' })],
  ['a DNS policy that does not exist', podOf({ dnsPolicy: 'Sometimes' })],
  ['no DNS', podOf({ dnsPolicy: 'None' })],
  ['no nameserver', podOf({ dnsPolicy: 'None', dnsConfig: {} })],
  [
    'DNS with odd settings',
    podOf({
      dnsConfig: {
        nameservers: ['1.2.3.4', 'a', '1.2.3.04', '::ffff:1.2.3.4'],
        searches: ['A', 'a_b.c.', '.', long(254)],
        options: [{ name: '' }],
      },
    }),
  ],
  [
    'DNS with many searches',
    podOf({ dnsConfig: { searches: Array.from({ length: 33 }, (_, index) => `a${index}`) } }),
  ],
  ['DNS with long searches', podOf({ dnsConfig: { searches: Array.from({ length: 10 }, () => long(250)) } })],
  ['host aliases', podOf({ hostAliases: [{ ip: 'a', hostnames: ['A', 'b'] }, { ip: '' }] })],
  ['a node with an odd name', podOf({ nodeName: 'A_' })],
  ['an account with an odd name', podOf({ serviceAccountName: 'A' })],
  ['a hostname with dots', podOf({ hostname: 'a.b', subdomain: 'A' })],
  [
    'a hostname that replaces',
    podOf({ hostnameOverride: `A${long(64)}`, setHostnameAsFQDN: true, hostNetwork: true }),
  ],
  ['a deadline of no time', podOf({ activeDeadlineSeconds: 0 })],
  ['a deadline far away', podOf({ activeDeadlineSeconds: 2147483648 })],
  ['a negative grace period', podOf({ terminationGracePeriodSeconds: -5 })],
  ['readiness gates', podOf({ readinessGates: [{ conditionType: 'a b' }, {}] })],
  ['scheduling gates', podOf({ schedulingGates: [{ name: 'a b' }, { name: 'a' }, { name: 'a' }] })],
  ['a gate and a node', podOf({ nodeName: 'n', schedulingGates: [{ name: 'a' }] })],
  ['a node selector with odd labels', podOf({ nodeSelector: { 'a!': 'b!' } })],
  ['a priority', podOf({ priority: 5 })],
  ['a priority class that does not exist', podOf({ priorityClassName: 'nothing' })],
  ['a preemption policy that does not exist', podOf({ preemptionPolicy: 'Sometimes' })],
  ['never preempting', podOf({ preemptionPolicy: 'Never' })],
  ['another operating system', podOf({ os: { name: 'plan9' } })],
  ['no operating system', podOf({ os: { name: '' } })],
  [
    'Windows with settings of Linux',
    podOf({
      os: { name: 'windows' },
      hostPID: true,
      hostUsers: false,
      shareProcessNamespace: false,
      securityContext: {
        fsGroup: 1,
        sysctls: [{ name: 'a', value: 'b' }],
        supplementalGroups: [1],
        seLinuxOptions: {},
        seccompProfile: { type: 'Unconfined' },
      },
      containers: [
        container({
          securityContext: { privileged: false, capabilities: {}, procMount: 'Default', runAsUser: 1 },
        }),
      ],
    }),
  ],
  [
    'Linux with settings of Windows',
    podOf({
      os: { name: 'linux' },
      securityContext: { windowsOptions: {} },
      containers: [container({ securityContext: { windowsOptions: {} } })],
    }),
  ],
  ['users of its own', podOf({ hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true })],
  ['ephemeral containers', podOf({ ephemeralContainers: [container({ name: 'e' })] })],
  [
    'ephemeral containers with too much',
    podOf({
      volumes: [{ name: 'v' }],
      ephemeralContainers: [
        container({
          targetContainerName: 'x',
          ports: [{ containerPort: 1 }],
          livenessProbe: { exec: { command: ['a'] } },
          lifecycle: {},
          resources: { limits: { cpu: 1 } },
          volumeMounts: [{ name: 'v', mountPath: '/v', subPath: 'a' }],
        }),
      ],
    }),
  ],
  // Security.
  ['users and groups', withSecurity({ runAsUser: -1, runAsGroup: 2147483648 })],
  ['a proc mount', withSecurity({ procMount: 'Unmasked' })],
  ['a proc mount that does not exist', withSecurity({ procMount: 'No' })],
  ['seccomp without a type', withSecurity({ seccompProfile: {} })],
  ['seccomp of another type', withSecurity({ seccompProfile: { type: 'No' } })],
  ['seccomp of the node without a profile', withSecurity({ seccompProfile: { type: 'Localhost' } })],
  [
    'seccomp of the node with an odd profile',
    withSecurity({ seccompProfile: { type: 'Localhost', localhostProfile: '/../a' } }),
  ],
  [
    'seccomp of the runtime with a profile',
    withSecurity({ seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'a' } }),
  ],
  ['AppArmor without a type', withSecurity({ appArmorProfile: {} })],
  ['AppArmor of the node', withSecurity({ appArmorProfile: { type: 'Localhost', localhostProfile: ' a ' } })],
  ['AppArmor of the node without a profile', withSecurity({ appArmorProfile: { type: 'Localhost' } })],
  [
    'AppArmor with a profile',
    withSecurity({ appArmorProfile: { type: 'Unconfined', localhostProfile: 'a' } }),
  ],
  ['AppArmor of another type', withSecurity({ appArmorProfile: { type: 'No' } })],
  [
    'users and groups of the pod',
    withPodSecurity({ runAsUser: -1, runAsGroup: -1, fsGroup: -1, supplementalGroups: [1, -1] }),
  ],
  [
    'policies of the pod',
    withPodSecurity({ fsGroupChangePolicy: 'No', supplementalGroupsPolicy: 'No', seLinuxChangePolicy: 'No' }),
  ],
  [
    'kernel parameters',
    withPodSecurity({
      sysctls: [
        { name: '', value: '' },
        { name: 'A', value: '' },
        { name: 'a.b', value: '' },
        { name: 'a.b', value: '' },
      ],
    }),
  ],
  [
    'kernel parameters of the node',
    withPodSecurity(
      {
        sysctls: [
          { name: 'net.a', value: '' },
          { name: 'kernel/sem', value: '' },
        ],
      },
      { hostNetwork: true, hostIPC: true },
    ),
  ],
  ['shared processes', podOf({ shareProcessNamespace: true, hostPID: true })],
  // Scheduling.
  ['a toleration without a key', withToleration({ operator: 'Equal', value: 'a' })],
  ['a toleration with an odd key', withToleration({ key: 'a b', operator: 'Exists' })],
  ['a toleration of a value that is there', withToleration({ key: 'a', operator: 'Exists', value: 'b' })],
  ['a toleration with an odd value', withToleration({ key: 'a', value: 'b c' })],
  ['a toleration with another operator', withToleration({ key: 'a', operator: 'No', effect: 'No' })],
  ['a toleration that compares', withToleration({ key: 'a', operator: 'Gt', value: '1' })],
  ['a toleration for a while', withToleration({ key: 'a', operator: 'Exists', tolerationSeconds: 5 })],
  ['node affinity without terms', withNodes()],
  [
    'node affinity with odd terms',
    withNodes({
      matchExpressions: [
        { key: 'a', operator: 'In' },
        { key: 'a b', operator: 'Exists', values: ['c'] },
        { key: 'a', operator: 'Gt', values: ['1', '2'] },
        { key: 'a', operator: 'No' },
        { key: 'a', operator: 'In', values: ['b c'] },
      ],
    }),
  ],
  [
    'node affinity by fields',
    withNodes({
      matchFields: [
        { key: 'metadata.name', operator: 'In', values: ['A', 'b'] },
        { key: 'spec.x', operator: 'Exists' },
      ],
    }),
  ],
  [
    'preferred nodes',
    podOf({
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 0, preference: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] } },
            { weight: 101, preference: { matchExpressions: [{ key: 'a', operator: 'No' }] } },
          ],
        },
      },
    }),
  ],
  ['pod affinity without a topology', withPods({ labelSelector: {} })],
  [
    'pod affinity with odd settings',
    withPods({
      topologyKey: 'a b',
      labelSelector: {
        matchLabels: { 'a!': 'b!' },
        matchExpressions: [
          { key: 'a', operator: 'In' },
          { key: 'a', operator: 'Exists', values: ['b'] },
          { key: '', operator: 'No' },
        ],
      },
      namespaces: ['A'],
      namespaceSelector: { matchLabels: { a: 'b c' } },
    }),
  ],
  [
    'pod affinity with keys',
    withPods(
      { topologyKey: 'a', matchLabelKeys: ['a', 'b c'], mismatchLabelKeys: ['a'], labelSelector: {} },
      'podAntiAffinity',
    ),
  ],
  ['pod affinity with keys and no selector', withPods({ topologyKey: 'a', matchLabelKeys: ['a'] })],
  [
    'pod affinity with a key that is there',
    podOf(
      {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'a', matchLabelKeys: ['k'], labelSelector: { matchLabels: { k: 'v' } } },
            ],
          },
        },
      },
      { labels: { k: 'v' } },
    ),
  ],
  [
    'preferred pods',
    podOf({
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 0, podAffinityTerm: { topologyKey: '' } },
          ],
        },
      },
    }),
  ],
  ['spread without anything', withSpread({})],
  ['spread that is there twice', withSpread(spread, spread)],
  [
    'spread with odd settings',
    withSpread({
      ...spread,
      maxSkew: 0,
      whenUnsatisfiable: 'No',
      minDomains: 0,
      nodeAffinityPolicy: 'No',
      nodeTaintsPolicy: 'No',
      matchLabelKeys: ['a'],
    }),
  ],
  ['spread with domains', withSpread({ ...spread, whenUnsatisfiable: 'ScheduleAnyway', minDomains: 1 })],
  [
    'spread with an odd selector',
    withSpread({ ...spread, labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
  ],
  // Init containers.
  ['an init container with the name of another', withInit(container())],
  ['two init containers of one name', withInit(init(), init())],
  [
    'an init container with probes',
    withInit(init({ livenessProbe: { exec: {} }, readinessProbe: {}, startupProbe: {}, lifecycle: {} })),
  ],
  [
    'a sidecar with a wrong probe',
    withInit(init({ restartPolicy: 'Always', livenessProbe: {}, lifecycle: { preStop: {} } })),
  ],
  ['an init container with another restart policy', withInit(init({ restartPolicy: 'No' }))],
  [
    'an init container that restarts when it is resized',
    withInit(init({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] })),
  ],
  ['an init container without anything', withInit({})],
  // Metadata.
  [
    'annotations of profiles',
    podOf(
      {},
      {
        annotations: {
          'container.apparmor.security.beta.kubernetes.io/x': 'no',
          'seccomp.security.alpha.kubernetes.io/pod': 'no',
          'container.seccomp.security.alpha.kubernetes.io/a': 'localhost//a',
        },
      },
    ),
  ],
  ['an annotation of a static pod', podOf({}, { annotations: { 'kubernetes.io/config.mirror': 'a' } })],
  [
    'an annotation of the cost of deletion',
    podOf({}, { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '+1' } }),
  ],
  [
    'profiles that are given twice',
    podOf(
      {
        containers: [
          container({
            securityContext: {
              seccompProfile: { type: 'Unconfined' },
              appArmorProfile: { type: 'RuntimeDefault' },
            },
          }),
        ],
      },
      {
        annotations: {
          'container.apparmor.security.beta.kubernetes.io/a': 'unconfined',
          'container.seccomp.security.alpha.kubernetes.io/a': 'runtime/default',
        },
      },
    ),
  ],
  ['a name with dots', podOf({}, { name: 'a.b' })],
];
