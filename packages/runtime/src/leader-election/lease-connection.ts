import { hostname } from 'node:os';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import { uniqueDigits } from '../random/unique-digits.ts';
import type { Reachability } from '../transport/reachability.ts';
import { Transport } from '../transport/transport.ts';
import type { TransportOptions } from '../transport/transport-options.ts';
import type { ElectionTiming } from './leader-election-options.ts';

/** What the requests about Leases need. */
export interface LeaseConnectionOptions {
  connection: ConnectionConfig;
  /** The name of the program in requests, by which administrators recognize who uses the Leases. */
  userAgent?: string | undefined;
  reachability?: Reachability | undefined;
  onRefusal?: TransportOptions['onRefusal'];
}

/** A connection for Leases, and how long a request may take, in milliseconds. */
export interface LeaseConnection {
  transport: Transport;
  timeout: number;
}

/**
 * Opens a connection for Leases alone: renewals must not wait behind other requests.
 * @param purpose what the user agent says about it.
 */
export function connectForLeases(
  { connection, userAgent = '', reachability, onRefusal }: LeaseConnectionOptions,
  { renewDeadline }: ElectionTiming,
  purpose: string,
): LeaseConnection {
  // As in controller-runtime: one hanging request must not cost the Lease.
  const timeout = Math.max(1000, renewDeadline / 2);
  const transport = new Transport(connection, {
    reachability,
    onRefusal,
    userAgent: `${userAgent} ${purpose}`.trimStart(),
    requestTimeout: timeout,
    connections: 1,
  });
  return { transport, timeout };
}

/** A name for the holder of a Lease that no other process has. */
export function uniqueHolder({ random }: ConnectionConfig): string {
  return `${hostname()}_${uniqueDigits(random)}`;
}
