import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type Connection,
  type Controllers,
  type FeatureGate,
  createClientAuthority,
  issueClientCertificate,
  renderKubeconfig,
  selectControllers,
  send,
} from 'ots-apiserver';
import { AuditLog } from '../requests/audit-log.ts';
import { RequestLog } from '../requests/request-log.ts';
import type { CertificateAuthority, ControlPlane, ControlPlaneOptions } from './control-plane.ts';
import { MetricsApi } from '../metrics/metrics-api.ts';
import type { WorkloadOptions } from '../workloads/workload-options.ts';
import { TestMetrics } from '../metrics/test-metrics.ts';
import { RealServices } from '../services/real-services.ts';
import { freePorts } from './free-ports.ts';
import { ManagedProcess } from './managed-process.ts';
import type { Workloads } from '../workloads/start-workloads.ts';
import { TestEnvironmentError } from '../errors/test-environment-error.ts';

/**
 * Starts etcd and kube-apiserver on free loopback ports, with their data in a temporary directory.
 *
 * @param assets the directory of the binaries (`KUBEBUILDER_ASSETS`)
 * @throws {TestEnvironmentError} when a binary does not become ready, or a controller is asked for and its binary is missing;
 *   nothing is left behind then
 */
export async function startReal(
  assets: string,
  {
    controllers,
    enableAdmissionPlugins = [],
    enableFeatureGates = [],
    clientAuthority = createClientAuthority(new Date()),
    recordRequests,
    workloads = false,
  }: ControlPlaneOptions,
): Promise<ControlPlane> {
  const controllerNames = await availableControllers(assets, controllers, workloads);
  const directory = await mkdtemp(path.join(tmpdir(), 'ots-control-plane-'));
  const processes: ManagedProcess[] = [];
  let nodes: Workloads | undefined;
  let metricsApi: MetricsApi | undefined;
  const stop = async () => {
    await nodes?.stop();
    metricsApi?.stop();
    // The server goes before its storage.
    for (const process of processes.toReversed()) await process.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const auditLog = recordRequests ? new AuditLog(directory) : undefined;
    const connection = await start(assets, directory, processes, {
      clientAuthority: clientAuthority.cert,
      plugins: enableAdmissionPlugins,
      flags: [...((await auditLog?.flags()) ?? []), ...gateFlags(enableFeatureGates)],
    });
    if (controllerNames.length > 0)
      await startControllerManager(assets, directory, processes, {
        connection,
        controllerNames,
        clientAuthority,
      });
    nodes = await startNodes(connection, workloads);
    const metrics = new TestMetrics(() => metricsApi!.publish());
    metricsApi = new MetricsApi(connection, metrics);
    const { server, caData = '' } = connection;
    const services = new RealServices(connection);
    return {
      connection,
      services,
      installed: () => services.apply(),
      secureConnection: () => Promise.resolve({ server, caData }),
      issueCertificate: (user) => {
        const { cert, key } = issueClientCertificate(clientAuthority, user, new Date());
        return { certData: cert, keyData: key };
      },
      failures: nodes?.failures,
      network: nodes?.network,
      metrics: workloads ? metrics : undefined,
      nodes: nodes?.nodes,
      requests: auditLog && new RequestLog((log) => auditLog.addTo(log, connection)),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function gateFlags(gates: readonly FeatureGate[]): string[] {
  return gates.length > 0 ? [`--feature-gates=${gates.map((gate) => `${gate}=true`).join(',')}`] : [];
}

/** Starts a scheduler and kubelets beside the controllers of kube-controller-manager, if there are nodes. */
async function startNodes(
  connection: Connection,
  workloads: boolean | WorkloadOptions,
): Promise<Workloads | undefined> {
  if (workloads === false) return undefined;
  const options = workloads === true ? {} : workloads;
  if (options.nodes === 0) return undefined;
  // Loaded on demand: most tests run no workloads.
  const { startWorkloads } = await import('../workloads/start-workloads.ts');
  return startWorkloads(connection, options, { controllers: [] });
}

const nameOfController = {
  garbageCollector: 'garbage-collector-controller',
  namespaces: 'namespace-controller',
  aggregatedRoles: 'clusterrole-aggregation-controller',
  policyStatus: 'validatingadmissionpolicy-status-controller',
  resourceQuotas: 'resourcequota-controller',
  certificateRequests: 'certificatesigningrequest-signing-controller',
  serviceAccounts: 'serviceaccount-controller',
  rootCertificates: 'root-ca-certificate-publisher-controller',
};

/** Those that {@link startWorkloads} runs beside the embedded server. */
const workloadControllers = [
  'deployment-controller',
  'replicaset-controller',
  'statefulset-controller',
  'daemonset-controller',
  'disruption-controller',
  'endpoints-controller',
  'endpointslice-controller',
  'horizontal-pod-autoscaler-controller',
  'job-controller',
  'ttl-after-finished-controller',
  'cronjob-controller',
  'persistentvolume-binder-controller',
  'persistentvolume-expander-controller',
  'persistentvolume-protection-controller',
  'volumeattributesclass-protection-controller',
  'persistentvolumeclaim-protection-controller',
  'node-lifecycle-controller',
  'taint-eviction-controller',
];

/** Beside nodes alone: it ends pods in place of a kubelet. */
const nodeControllers = ['pod-garbage-collector-controller'];

function controllersOf(workloads: boolean | WorkloadOptions): readonly string[] {
  if (workloads === false) return [];
  const { nodes = 1 }: WorkloadOptions = workloads === true ? {} : workloads;
  const hasNodes = typeof nodes === 'number' ? nodes > 0 : nodes.length > 0;
  return hasNodes ? [...workloadControllers, ...nodeControllers] : workloadControllers;
}

/** The names of the controllers to run: none if the binary is missing and the caller did not ask for any. */
async function availableControllers(
  assets: string,
  asked: Controllers | undefined,
  workloads: boolean | WorkloadOptions,
): Promise<string[]> {
  const selected = selectControllers(asked);
  const beside = Object.entries(nameOfController).flatMap(([key, name]) =>
    selected[key as keyof typeof selected] ? [name] : [],
  );
  const names = [...beside, ...controllersOf(workloads)];
  if (names.length === 0) return [];
  const binary = path.join(assets, 'kube-controller-manager');
  try {
    await access(binary);
    return names;
  } catch (error) {
    const missing = `kube-controller-manager is missing from ${assets}`;
    if (asked !== undefined || workloads !== false) {
      const hint = 'Put the binary there, or start with env: {}, which chooses the embedded server.';
      throw new TestEnvironmentError(missing, hint, error);
    }
    process.emitWarning(
      `${missing}: nothing collects garbage or empties namespaces. Set 'controllers: false' to accept that.`,
    );
    return [];
  }
}

async function startControllerManager(
  assets: string,
  directory: string,
  processes: ManagedProcess[],
  {
    connection,
    controllerNames,
    clientAuthority,
  }: { connection: Connection; controllerNames: readonly string[]; clientAuthority: CertificateAuthority },
): Promise<void> {
  const [secure = 0] = await freePorts(1);
  const kubeconfig = path.join(directory, 'controllers.kubeconfig');
  await writeFile(kubeconfig, renderKubeconfig(connection, 'controllers'), { mode: 0o600 });
  const certificate = path.join(directory, 'certs', 'apiserver.crt');
  const signingKey = path.join(directory, 'client-ca.key');
  await writeFile(signingKey, clientAuthority.key, { mode: 0o600 });
  const manager = new ManagedProcess(
    'kube-controller-manager',
    path.join(assets, 'kube-controller-manager'),
    [
      `--kubeconfig=${kubeconfig}`,
      `--controllers=${controllerNames.join(',')}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${secure}`,
      `--cert-dir=${path.join(directory, 'controller-certs')}`,
      `--root-ca-file=${certificate}`,
      `--cluster-signing-cert-file=${path.join(directory, 'client-ca.crt')}`,
      `--cluster-signing-key-file=${signingKey}`,
      // As in a cluster, admission and the request log see which controller writes.
      '--use-service-account-credentials=true',
      // Only one instance runs.
      '--leader-elect=false',
    ],
  );
  processes.push(manager);
  const probe = { server: `https://127.0.0.1:${secure}`, insecureSkipTlsVerify: true };
  await manager.untilReady(async () => (await send(probe, 'GET', '/healthz')).code === 200);
}

async function start(
  assets: string,
  directory: string,
  processes: ManagedProcess[],
  {
    clientAuthority,
    plugins,
    flags,
  }: { clientAuthority: string; plugins: readonly string[]; flags: readonly string[] },
): Promise<Connection> {
  const [client = 0, peer = 0, secure = 0] = await freePorts(3);
  const etcdUrl = `http://127.0.0.1:${client}`;
  const etcd = new ManagedProcess('etcd', path.join(assets, 'etcd'), [
    `--data-dir=${path.join(directory, 'etcd')}`,
    '--unsafe-no-fsync',
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
  ]);
  processes.push(etcd);
  await etcd.untilReady(async () => (await send({ server: etcdUrl }, 'GET', '/health')).code === 200);

  const certificates = path.join(directory, 'certs');
  const { keyFile, tokenFile, token } = await writeCredentials(directory);
  const authorityFile = path.join(directory, 'client-ca.crt');
  await writeFile(authorityFile, clientAuthority);
  const server = `https://127.0.0.1:${secure}`;
  const apiServer = new ManagedProcess('kube-apiserver', path.join(assets, 'kube-apiserver'), [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${secure}`,
    `--cert-dir=${certificates}`,
    '--service-account-issuer=https://localhost',
    `--service-account-key-file=${keyFile}`,
    `--service-account-signing-key-file=${keyFile}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--authorization-mode=Node,RBAC',
    '--allow-privileged=true',
    `--token-auth-file=${tokenFile}`,
    `--client-ca-file=${authorityFile}`,
    `--enable-admission-plugins=${['NodeRestriction', ...plugins].join(',')}`,
    // Without a controller manager no service account exists, and pods could not be created.
    ...(plugins.includes('ServiceAccount') ? [] : ['--disable-admission-plugins=ServiceAccount']),
    ...flags,
  ]);
  processes.push(apiServer);
  const probe = { server, token, insecureSkipTlsVerify: true };
  await apiServer.untilReady(async () => (await send(probe, 'GET', '/readyz')).code === 200);
  return { server, token, caData: await readFile(path.join(certificates, 'apiserver.crt'), 'utf8') };
}

async function writeCredentials(
  directory: string,
): Promise<{ keyFile: string; tokenFile: string; token: string }> {
  const keyFile = path.join(directory, 'service-account.key');
  const tokenFile = path.join(directory, 'tokens.csv');
  const token = randomBytes(16).toString('hex');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  await writeFile(keyFile, privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
  await writeFile(tokenFile, `${token},admin,admin,system:masters\n`, { mode: 0o600 });
  return { keyFile, tokenFile, token };
}
