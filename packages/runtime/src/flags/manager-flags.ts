import type { FlagTable } from './flag-definition.ts';

/** The flags of every operator, with kubebuilder's names. */
export const managerFlags = {
  kubeconfig: {
    type: 'string',
    placeholder: 'file',
    help: 'kubeconfig of the cluster; by default $KUBECONFIG, the service account of the pod, or ~/.kube/config',
  },
  'metrics-bind-address': {
    type: 'string',
    placeholder: 'address',
    default: '0',
    help: 'address of /metrics, such as :8443; 0 turns it off',
  },
  'metrics-secure': {
    type: 'boolean',
    default: true,
    help: 'serve /metrics over HTTPS, only to callers that the cluster authenticates and authorizes',
  },
  'metrics-cert-path': {
    type: 'string',
    placeholder: 'directory',
    help: 'directory of the certificate for /metrics; self-signed by default',
  },
  'metrics-cert-name': {
    type: 'string',
    placeholder: 'file',
    default: 'tls.crt',
    help: 'name of its file in that directory',
  },
  'metrics-cert-key': {
    type: 'string',
    placeholder: 'file',
    default: 'tls.key',
    help: 'name of its key file in that directory',
  },
  'debug-reconciles': {
    type: 'boolean',
    help: 'serve why the last reconciles ran and what they did at /debug/reconciles, with the same access as /metrics',
  },
  'health-probe-bind-address': {
    type: 'string',
    placeholder: 'address',
    default: ':8081',
    help: 'address of /healthz and /readyz; 0 turns them off',
  },
  'leader-elect': {
    type: 'boolean',
    help: 'elect one replica to work while the others stand by; required for more than one replica',
  },
  'leader-election-namespace': {
    type: 'string',
    placeholder: 'namespace',
    env: 'POD_NAMESPACE',
    help: 'namespace of the leader election Lease; by default the namespace of the pod or the kubeconfig',
  },
  'webhook-cert-path': {
    type: 'string',
    placeholder: 'directory',
    help: 'directory of the certificate for webhooks; without it or --webhook-cert-secret, webhooks are not served',
  },
  'webhook-cert-name': {
    type: 'string',
    placeholder: 'file',
    default: 'tls.crt',
    help: 'name of its file in that directory',
  },
  'webhook-cert-key': {
    type: 'string',
    placeholder: 'file',
    default: 'tls.key',
    help: 'name of its key file in that directory',
  },
  'webhook-cert-secret': {
    type: 'string',
    placeholder: 'secret',
    help: 'Secret in which the operator keeps the certificate for webhooks, which it issues and renews itself',
  },
  'webhook-service-name': {
    type: 'string',
    placeholder: 'service',
    help: 'Service of the webhooks, for which the certificate is issued',
  },
  'webhook-service-namespace': {
    type: 'string',
    placeholder: 'namespace',
    env: 'POD_NAMESPACE',
    help: 'namespace of that Secret and Service; by default the namespace of the pod or the kubeconfig',
  },
  'webhook-mutating-configuration': {
    type: 'string',
    placeholder: 'name',
    help: 'MutatingWebhookConfiguration that receives the authority of that certificate',
  },
  'webhook-validating-configuration': {
    type: 'string',
    placeholder: 'name',
    help: 'ValidatingWebhookConfiguration that receives the authority of that certificate',
  },
  'webhook-port': {
    type: 'string',
    placeholder: 'port',
    default: '9443',
    help: 'port of the webhooks',
  },
  'webhook-host': {
    type: 'string',
    placeholder: 'address',
    help: 'address on which webhooks listen; all addresses by default',
  },
  'enable-http2': {
    type: 'boolean',
    help: 'accepted for existing manifests; the servers speak only HTTP/1.1, which CVE-2023-44487 does not affect',
  },
  'profiling-bind-address': {
    type: 'string',
    placeholder: 'address',
    default: '0',
    help: 'address of profiles, such as :6060, which is on loopback; 0 turns them off; profiles contain secrets',
  },
  'zap-log-level': {
    type: 'string',
    placeholder: 'level',
    help: 'log level: debug, info, warn, error, or a number from 1 on for more detail',
  },
  'zap-encoder': {
    type: 'string',
    placeholder: 'encoder',
    help: 'log format: json, or console for people',
  },
  'zap-devel': {
    type: 'boolean',
    help: 'short for --zap-encoder=console --zap-log-level=debug',
  },
  'zap-time-encoding': {
    type: 'string',
    placeholder: 'encoding',
    help: 'accepted for existing manifests: iso8601, rfc3339 or rfc3339nano, which all logs use',
  },
  'zap-stacktrace-level': {
    type: 'string',
    placeholder: 'level',
    help: 'accepted for existing manifests: unexpected errors are logged once, with their stacks',
  },
  v: {
    type: 'string',
    placeholder: 'number',
    help: 'like --zap-log-level: 0 for info, 1 for debug, 2 for all',
  },
  help: { type: 'boolean', help: 'show this help' },
} as const satisfies FlagTable;
