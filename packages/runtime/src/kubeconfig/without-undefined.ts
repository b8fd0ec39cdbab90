import type { ConnectionConfig } from './connection-config.ts';

/** The config without fields that are undefined: configs are printed and compared. */
export function withoutUndefined(config: ConnectionConfig): ConnectionConfig {
  const fields = Object.entries(config).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields) as unknown as ConnectionConfig;
}
