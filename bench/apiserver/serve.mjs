// Runs one server and tells its parent how to reach it. It stops when the parent closes its input. It loads nothing else: its
// start is timed.
import { TestEnvironment } from '../../packages/testing/dist/index.js';

const start = performance.now();
const environment = await TestEnvironment.start();
const ms = performance.now() - start;
console.log(JSON.stringify({ config: environment.config, kubeconfig: environment.kubeconfig, ms }));
process.stdin.resume();
await new Promise((resolve) => process.stdin.once('end', resolve));
await environment.stop();
process.exit(0);
