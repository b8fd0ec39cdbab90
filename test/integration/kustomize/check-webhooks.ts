import { podsOfService } from './check-network.ts';
import { type Manifest, describeManifest, find, ofKind } from './manifest.ts';
import { containersOf, podsOf } from './pods.ts';

const injectAnnotation = 'cert-manager.io/inject-ca-from';
/** The flag of the manager that names the directory of the webhook server's certificate. */
const certificateFlag = '--webhook-cert-path=';

/** Where the certificate of the webhooks comes from: the manager, cert-manager, or the user. */
export type Certificates = 'rotator' | 'cert-manager' | 'own';

/** Something that tells the API server to call a webhook. */
export interface WebhookCall {
  readonly caller: Manifest;
  readonly path: string;
  readonly service: Manifest | undefined;
  readonly described: string;
}

/** The paths that the API server calls, in the order in which they appear. */
export function calledPaths(all: readonly Manifest[]): string[] {
  return callsIn(all).map(({ path }) => path);
}

/**
 * The API server reaches every webhook and trusts it.
 *
 * @param certificates where they come from; those of the manager itself have a check of their own
 */
export function checkWebhooks(all: readonly Manifest[], certificates: Certificates | undefined): string[] {
  const calls = callsIn(all);
  const reached = calls.flatMap(({ service, described, path }) => [
    ...(service ? [] : [`${described} calls a service or port that does not exist`]),
    ...(path?.startsWith('/') ? [] : [`${described} calls the path ${path}`]),
  ]);
  return [
    ...reached,
    ...checkCertificates(all),
    ...(certificates === 'cert-manager' ? calls.flatMap((call) => checkTrust(call, all)) : []),
  ];
}

/** Everything in the objects that tells the API server to call a webhook. */
export function callsIn(all: readonly Manifest[]): WebhookCall[] {
  return all.flatMap((caller) => {
    const configs =
      caller.kind === 'CustomResourceDefinition'
        ? [caller['spec'].conversion?.webhook?.clientConfig].filter(Boolean)
        : (caller['webhooks'] ?? []).map(({ clientConfig }: any) => clientConfig);
    return configs.map(({ service: { name, namespace, path, port = 443 } }: any): WebhookCall => {
      const found = find(all, 'Service', name, namespace);
      const service = found?.['spec'].ports.some((open: any) => open.port === port) ? found : undefined;
      return {
        caller,
        path,
        service,
        described: `${describeManifest(caller)} (${namespace}/${name}:${port})`,
      };
    });
  });
}

/** The caller has the authority of a certificate for the service's name, which the pods behind the service hold. */
function checkTrust({ caller, service, described }: WebhookCall, all: readonly Manifest[]): string[] {
  if (!service) return [];
  const [namespace, name] = caller.metadata.annotations?.[injectAnnotation]?.split('/') ?? [];
  const certificate = find(all, 'Certificate', name, namespace);
  if (!certificate) return [`${described}: ${injectAnnotation} names no certificate: ${namespace}/${name}`];
  const problems = [];
  const host = `${service.metadata.name}.${service.metadata.namespace}.svc`;
  if (!certificate['spec'].dnsNames.includes(host))
    problems.push(`${described}: the certificate is not for ${host}`);
  for (const { owner, spec } of podsOfService(service, all)) {
    if (!servesWith(spec, certificate['spec'].secretName))
      problems.push(`${described}: ${owner} does not serve with ${certificate['spec'].secretName}`);
  }
  return problems;
}

/** Whether a container mounts the Secret where the flag of the manager points. */
function servesWith(spec: any, secretName: string): boolean {
  const volume = spec.volumes?.find(({ secret }: any) => secret?.secretName === secretName)?.name;
  return containersOf(spec).some(({ args = [], volumeMounts = [] }) => {
    const path = volumeMounts.find(({ name }: any) => name === volume)?.mountPath;
    return volume !== undefined && path !== undefined && args.includes(`${certificateFlag}${path}`);
  });
}

function checkCertificates(all: readonly Manifest[]): string[] {
  return ofKind(all, 'Certificate').flatMap((certificate) => {
    const { metadata, spec } = certificate;
    const problems = [];
    if (!find(all, spec.issuerRef.kind, spec.issuerRef.name, metadata.namespace))
      problems.push(`the issuer ${spec.issuerRef.name} does not exist`);
    const hosts = ofKind(all, 'Service').map(
      (service) => `${service.metadata.name}.${service.metadata.namespace}.svc`,
    );
    for (const name of spec.dnsNames) {
      if (!hosts.includes(name.replace(/\.cluster\.local$/, '')))
        problems.push(`no service is called ${name}`);
    }
    const secrets = podsOf(all)
      .filter(({ namespace }) => namespace === metadata.namespace)
      .flatMap((pods) => pods.spec.volumes ?? [])
      .map(({ secret }) => secret?.secretName);
    if (!secrets.includes(spec.secretName)) problems.push(`no pod uses its Secret ${spec.secretName}`);
    return problems.map((problem) => `${describeManifest(certificate)}: ${problem}`);
  });
}
