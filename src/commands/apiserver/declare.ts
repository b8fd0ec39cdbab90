import { Option } from 'commander';
import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, onRun } from '../shared/declare-command.ts';
import { suggest } from '../shared/suggestions.ts';
import { controllerNames } from './controller-names.ts';

/** `ots apiserver` */
export const declareApiServer: Declare = (program, context) => {
  const apiserver = declareCommand(program, {
    name: 'apiserver',
    description: 'run a Kubernetes API server in this process, until Ctrl-C',
    examples: [
      'ots apiserver --kubeconfig kubeconfig --crds config/crd/bases   # then: kubectl --kubeconfig kubeconfig get ns',
      'ots apiserver --port 8080 --controllers garbage-collector,namespaces',
      'ots apiserver --workloads 3 --kubeconfig kubeconfig   # then: kubectl --kubeconfig kubeconfig create deployment web --image=nginx',
      'ots apiserver --users users.csv --kubeconfig kubeconfig   # then: kubectl --kubeconfig kubeconfig --context jane@ots-apiserver get pods',
      'ots apiserver --crds config/crd/bases --service system/webhook-service=https://127.0.0.1:9443 --service-ca ca.crt',
      'ots apiserver --port 8080 --data cluster   # again later: the same cluster',
      'ots apiserver --host 0.0.0.0 --port 6443 --tls --kubeconfig kubeconfig   # requires the certificate in that file',
    ],
  })
    .option('--port <port>', 'port to listen on (default: a free port)')
    .option(
      '--host <address>',
      'address to listen on (default: 127.0.0.1); an address that other machines can reach needs --tls',
    )
    .option(
      '--kubeconfig <file>',
      'write a kubeconfig and remove it on exit; replaces an existing file only if ots apiserver wrote it',
    )
    .option('--crds <paths...>', 'install the CustomResourceDefinitions in these files and directories')
    .option(
      '--data <directory>',
      'keep the cluster in this directory: the next server on it continues with the same objects, keys and tokens (default: all is lost at the end)',
    )
    .addOption(controllersFlag())
    .option(
      '--workloads [nodes]',
      'run the controllers of Deployments, Jobs and other workloads, and this many simulated nodes that run their pods (default: 1)',
    )
    .option('--tls', 'serve over TLS and require credentials; the kubeconfig has a client certificate')
    .option(
      '--users <file>',
      'users with tokens, one per line: token,name,uid,"group1,group2"; serves over TLS, with a kubeconfig context per user',
    )
    .option(
      '--service <service=url...>',
      'where a Service listens that webhooks name: namespace/name=https://host:port, or *=https://host:port for every other one; repeatable',
    )
    .option(
      '--service-ca <file>',
      'certificates to trust there, in PEM, for the host of the URL (default: the caBundle of the webhook, for the name of the Service)',
    )
    .option(
      '--token <token>',
      'the token of the administrator (default: none; the kubeconfig has a client certificate)',
    );
  onRun(apiserver, context, async () => (await import('./apiserver.ts')).apiserver);
};

function controllersFlag(): Option {
  const option = new Option(
    '--controllers [names]',
    `controllers to run, comma-separated: ${controllerNames.join(', ')}; all (default) or none`,
  );
  return suggest(option, () => ['all', 'none', ...controllerNames]);
}
