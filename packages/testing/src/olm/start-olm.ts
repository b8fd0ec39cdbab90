import { systemClock } from 'ots-apimachinery/clock/clock';
import { Manager, createLogger } from 'ots-runtime';
import type { TestEnvironment } from '../environment/test-environment.ts';
import { TestMetrics } from '../metrics/test-metrics.ts';
import { Components } from '../workloads/components.ts';
import { installOlm } from './installation/install-olm.ts';
import { v0Installation } from './installation/v0-installation.ts';
import { v1Installation } from './installation/v1-installation.ts';
import type { OlmContext } from './olm-context.ts';
import type { OlmOptions, SimulatedOlm } from './olm-options.ts';
import { addV0Controllers } from './v0/controllers.ts';
import { addV1Controllers } from './v1/controllers.ts';

const versions = {
  v0: { installation: v0Installation, addControllers: addV0Controllers },
  v1: { installation: v1Installation, addControllers: addV1Controllers },
} as const;

/** Installs OLM in an environment, and starts its controllers. */
export async function startOlm(
  environment: TestEnvironment,
  { version = 'v0', images = {} }: OlmOptions,
): Promise<SimulatedOlm> {
  const { config, failures } = environment;
  const { installation, addControllers } = versions[version];
  await installOlm(config, installation);
  const { clock = systemClock, random = Math.random } = config;
  const logger = createLogger({ level: 'error' });
  const manager = await Manager.create(
    { connection: config, userAgent: 'olm', logger, webhooks: false },
    { clock },
  );
  const components = new Components(config, {
    manager,
    clock,
    random,
    logger,
    nodes: [],
    metrics: new TestMetrics(),
  });
  const context: OlmContext = {
    manager,
    clock,
    random,
    components,
    failures,
    images: new Map(Object.entries(images)),
  };
  addControllers(context);
  const running = manager.start();
  await manager.ready;
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= stopAll(manager, running, components));
  environment.onStop(stop);
  return { stop, [Symbol.asyncDispose]: stop };
}

async function stopAll(manager: Manager, running: Promise<void>, components: Components): Promise<void> {
  await manager.stop();
  await running;
  await components.close();
}
