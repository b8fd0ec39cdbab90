import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, onRun } from '../shared/declare-command.ts';

/** `ots trace` */
export const declareTrace: Declare = (program, context) => {
  const trace = declareCommand(program, {
    name: 'trace',
    description: 'print why the last reconciles of a running operator ran, and what they did',
    examples: [
      'ots trace --pod my-app-system/my-app-7d4b9c-x2x4z --service-account my-app-system/debug-reader',
      'ots trace --pod my-app-7d4b9c-x2x4z --context production --token "$(kubectl create token debug-reader)" --json',
      'ots trace --pod my-app-7d4b9c-x2x4z --service-account debug-reader --page   # as a timeline in a browser',
      'ots trace --pod my-app-7d4b9c-x2x4z --port 8080   # started with --metrics-bind-address=127.0.0.1:8080 --metrics-secure=false',
      'ots trace --url https://127.0.0.1:8443 --token "$(kubectl create token debug-reader)"   # kubectl port-forward runs already',
    ],
  })
    .option('--pod <pod>', 'pod of the operator, as name or namespace/name; kubectl forwards to it')
    .option('--port <port>', 'port of its metrics server (default: 8443)')
    .option('--url <url>', 'where the metrics server can be reached, instead of --pod')
    .option(
      '--service-account <name>',
      'account, as name or namespace/name, for which kubectl creates a token of 10 minutes',
    )
    .option('--token <token>', 'bearer token; without one, the metrics server must speak plain HTTP')
    .option('--page', 'draw them on the page of ots dev, on 127.0.0.1, until Ctrl-C')
    .option('--kubeconfig <file>', 'kubeconfig for kubectl (default: that of kubectl)')
    .option('--context <name>', 'context for kubectl (default: the current one)');
  onRun(trace, context, async () => (await import('./trace.ts')).trace);
};
