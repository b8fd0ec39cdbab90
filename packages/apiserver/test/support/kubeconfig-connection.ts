import type { Connection } from 'ots-apiserver';
import { parse } from 'yaml';

/** The connection that a kubeconfig with one user describes. */
export function connectionOf(kubeconfig: string): Connection {
  const { clusters, users } = parse(kubeconfig);
  const [{ cluster }] = clusters;
  const [{ user }] = users;
  return {
    server: cluster.server,
    caData: decoded(cluster['certificate-authority-data']),
    ...(user.token && { token: user.token }),
    ...(user['client-certificate-data'] && {
      certData: decoded(user['client-certificate-data']),
      keyData: decoded(user['client-key-data']),
    }),
  };
}

function decoded(text: string): string {
  return Buffer.from(text, 'base64').toString();
}
