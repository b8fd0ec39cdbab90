import { type ConnectionConfig, type LeaderElectionOptions, Manager, createLogger } from 'ots-runtime';

/** A manager without servers and logs. */
export function createManager(
  userAgent: string,
  connection: ConnectionConfig,
  leaderElection?: LeaderElectionOptions,
): Promise<Manager> {
  return Manager.create({ connection, userAgent, leaderElection, logger: createLogger({ level: 'silent' }) });
}
