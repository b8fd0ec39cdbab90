// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: Apache-2.0

import { parseArgs } from 'node:util';
import { createLogger, loadConfig, Manager, shutdownSignal } from 'ots-runtime';
import { setupControllers } from './controllers/index.ts';
import { setupWebhooks } from './webhooks/index.ts';

/** The flags of the operator; `node dist/main.js --<flag>=<value>`. */
const options = {
  /** File with the connection to the cluster; default: $KUBECONFIG, the pod's own, ~/.kube/config. */
  kubeconfig: { type: 'string' },
  /** Where /healthz and /readyz are served; 0 turns them off. */
  'health-probe-bind-address': { type: 'string', default: ':8081' },
  /** Where /metrics is served; 0 turns it off. */
  'metrics-bind-address': { type: 'string', default: '0' },
  /** Directory with tls.crt and tls.key for metrics; default: a self-signed certificate. */
  'metrics-cert-path': { type: 'string' },
  /** Directory with tls.crt and tls.key for webhooks. Webhooks are served when it is given. */
  'webhook-cert-path': { type: 'string' },
  'webhook-port': { type: 'string', default: '9443' },
  'log-level': { type: 'string', default: 'info' },
} as const;

/** Splits `host:port`; a missing host means all addresses. */
function bindAddress(address: string): { host: string; port: number } | false {
  if (address === '0') return false;
  const colon = address.lastIndexOf(':');
  const host = address.slice(0, Math.max(colon, 0)).replaceAll(/[[\]]/g, '');
  return { host: host || '0.0.0.0', port: Number(address.slice(colon + 1)) };
}

/** Runs the operator until it is told to stop. */
async function run(): Promise<void> {
  const { values: flags } = parseArgs({ options });
  const logger = createLogger({ level: flags['log-level'], format });
  const webhookCertPath = flags['webhook-cert-path'];
  const metrics = bindAddress(flags['metrics-bind-address']);
  const manager = await Manager.create({
    connection: await loadConfig({ kubeconfig: flags.kubeconfig }),
    logger,
    // Unset: all namespaces. Otherwise a comma-separated list.
    namespaces: process.env['WATCH_NAMESPACE']?.split(','),
    health: bindAddress(flags['health-probe-bind-address']),
    metrics: metrics && { ...metrics, secure: true, certDir: flags['metrics-cert-path'] },
    webhooks: webhookCertPath
      ? { port: Number(flags['webhook-port']), certDir: webhookCertPath }
      : false,
  });
  setupControllers(manager);
  if (webhookCertPath) setupWebhooks(manager);
  await manager.start(shutdownSignal());
}

const format = process.stderr.isTTY ? 'pretty' : 'json';
try {
  await run();
} catch (error) {
  createLogger({ format }).fatal({ err: error }, 'the operator stopped with an error');
  // What did not stop in time must not keep the process alive: whoever started it starts it anew.
  process.exit(1);
}
