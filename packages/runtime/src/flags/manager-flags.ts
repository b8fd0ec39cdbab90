import type { FlagTable } from './flag-definition.ts';

/** The flags of every operator, with the names that kubebuilder's have. */
export const managerFlags = {
  kubeconfig: {
    type: 'string',
    placeholder: 'file',
    help: "The connection to the cluster; by default $KUBECONFIG, the pod's own, or ~/.kube/config.",
  },
  'metrics-bind-address': {
    type: 'string',
    placeholder: 'address',
    default: '0',
    help: 'Where /metrics is served, such as :8443; 0 does not serve it.',
  },
  'metrics-secure': {
    type: 'boolean',
    default: true,
    help: 'Serve /metrics over HTTPS, to callers whom the cluster authenticates and allows to get it.',
  },
  'metrics-cert-path': {
    type: 'string',
    placeholder: 'directory',
    help: 'The certificate for /metrics; a self-signed one is made by default.',
  },
  'metrics-cert-name': {
    type: 'string',
    placeholder: 'file',
    default: 'tls.crt',
    help: 'Its file in that directory.',
  },
  'metrics-cert-key': {
    type: 'string',
    placeholder: 'file',
    default: 'tls.key',
    help: 'The file of its key there.',
  },
  'health-probe-bind-address': {
    type: 'string',
    placeholder: 'address',
    default: ':8081',
    help: 'Where /healthz and /readyz are served; 0 does not serve them.',
  },
  'leader-elect': {
    type: 'boolean',
    help: 'Work on one replica at a time, while the others stand by. Needed for more than one replica.',
  },
  'leader-election-namespace': {
    type: 'string',
    placeholder: 'namespace',
    env: 'POD_NAMESPACE',
    help: "Where the Lease of the leader is; by default the pod's namespace, or that of the kubeconfig.",
  },
  'webhook-cert-path': {
    type: 'string',
    placeholder: 'directory',
    help: 'The certificate for webhooks. Without it and --webhook-cert-secret they are not served.',
  },
  'webhook-cert-name': {
    type: 'string',
    placeholder: 'file',
    default: 'tls.crt',
    help: 'Its file in that directory.',
  },
  'webhook-cert-key': {
    type: 'string',
    placeholder: 'file',
    default: 'tls.key',
    help: 'The file of its key there.',
  },
  'webhook-cert-secret': {
    type: 'string',
    placeholder: 'secret',
    help: 'The Secret in which the operator keeps the certificate for webhooks, which it makes and renews itself.',
  },
  'webhook-service-name': {
    type: 'string',
    placeholder: 'service',
    help: 'The Service of the webhooks, which that certificate is for.',
  },
  'webhook-service-namespace': {
    type: 'string',
    placeholder: 'namespace',
    env: 'POD_NAMESPACE',
    help: "Where that Secret and that Service are; by default the pod's namespace, or that of the kubeconfig.",
  },
  'webhook-mutating-configuration': {
    type: 'string',
    placeholder: 'name',
    help: 'The MutatingWebhookConfiguration that is told to trust that certificate.',
  },
  'webhook-validating-configuration': {
    type: 'string',
    placeholder: 'name',
    help: 'The ValidatingWebhookConfiguration that is told to trust that certificate.',
  },
  'webhook-port': {
    type: 'string',
    placeholder: 'port',
    default: '9443',
    help: 'Where webhooks are served.',
  },
  'enable-http2': {
    type: 'boolean',
    help: 'Accepted for the sake of existing manifests; the servers speak HTTP/1.1 only, which CVE-2023-44487 does not concern.',
  },
  'profiling-bind-address': {
    type: 'string',
    placeholder: 'address',
    default: '0',
    help: 'Where profiles are served, such as :6060, which is on loopback; 0 does not serve them. They hold secrets.',
  },
  'zap-log-level': {
    type: 'string',
    placeholder: 'level',
    help: 'How much is logged: debug, info, warn, error, or 1 and more for more and more detail.',
  },
  'zap-encoder': {
    type: 'string',
    placeholder: 'encoder',
    help: 'The form of the log: json, or console for people.',
  },
  'zap-devel': {
    type: 'boolean',
    help: 'Short for --zap-encoder=console --zap-log-level=debug.',
  },
  'zap-time-encoding': {
    type: 'string',
    placeholder: 'encoding',
    help: 'Accepted for the sake of existing manifests: iso8601, rfc3339 or rfc3339nano, which times are in anyway.',
  },
  'zap-stacktrace-level': {
    type: 'string',
    placeholder: 'level',
    help: 'Accepted for the sake of existing manifests: errors that are not expected are logged with their stacks, once.',
  },
  v: {
    type: 'string',
    placeholder: 'number',
    help: 'As --zap-log-level: 0 for info, 1 for debug, 2 for all.',
  },
  help: { type: 'boolean', help: 'Show this text.' },
} as const satisfies FlagTable;
