import type { ConnectionConfig } from 'ots-runtime';

/** Contexts that tools for clusters on this machine create. */
const localContext =
  /^(?:(?:kind|k3d|colima|minikube)-.+|minikube|docker-desktop|docker-for-desktop|rancher-desktop|orbstack|colima|microk8s)$/;
/** Names under which containers and virtual machines reach this machine, and what they run for it. */
const localHost =
  /^(?:localhost|.+\.localhost|(?:host|kubernetes)\.docker\.internal|host\.containers\.internal)$/;

/**
 * Whether a cluster runs on this machine, as far as a kubeconfig can tell: its server has a loopback address, or its context has the
 * name that kind, k3d, minikube and their like give it.
 */
export function isLocal({ server, context = '', proxyUrl }: ConnectionConfig): boolean {
  // Through a proxy, localhost is another machine.
  if (proxyUrl !== undefined) return false;
  const host = new URL(server).hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const isLoopback = host === '::1' || host === '0.0.0.0' || /^127\.\d+\.\d+\.\d+$/.test(host);
  return isLoopback || localHost.test(host) || localContext.test(context);
}
