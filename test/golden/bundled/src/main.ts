import {
  createLogger,
  exitWithError,
  loadConfig,
  Manager,
  parseFlags,
  shutdownSignal,
} from 'ots-runtime';
import { setupControllers } from './controllers/index.ts';
import { setupWebhooks } from './webhooks/index.ts';

// The lease that replicas compete for. config/rbac/leader-election-role.yaml allows only this one.
const leaderElectionId = '89588781.example.com';

/** Runs the operator until a signal stops it. `node dist/main.js --help` lists its flags. */
async function main(): Promise<void> {
  const { help, kubeconfig, ...flags } = parseFlags({ leaderElectionId });
  if (help !== undefined) {
    process.stdout.write(help);
    return;
  }
  // First, so a pod that is stopped during its start ends at once.
  const signal = shutdownSignal();
  // Before anything that can fail, so the last log line has the same format as all others.
  const logger = createLogger(flags.logger);
  const manager = await Manager.create({
    ...flags.manager,
    connection: await loadConfig({ kubeconfig }),
    // The field manager: the API server records it as the owner of the fields that the operator applies.
    userAgent: 'bundled',
    logger,
  });
  setupControllers(manager);
  setupWebhooks(manager);
  await manager.start(signal);
}

await main().catch(exitWithError);
// As in Go, the end of main ends the program, even if timers or connections are open.
process.exit();
