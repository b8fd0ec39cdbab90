import { expect, test } from 'vitest';
import { operatorFlags } from '../../../src/dev/operator/operator-flags.ts';

const addresses = { kubeconfig: '/k', certificates: '/c', healthPort: 1, webhookPort: 2 };
const own = [
  '--kubeconfig',
  '/k',
  '--health-probe-bind-address=127.0.0.1:1',
  '--metrics-bind-address=0',
  '--webhook-cert-path=/c',
  '--webhook-host=127.0.0.1',
  '--webhook-port=2',
];

test.each([
  [[], []],
  [
    ['--leader-elect', '--size=3', '--debug'],
    ['--size=3', '--debug'],
  ],
  [
    ['--leader-elect=true', '--leader-election-namespace', 'here', '--size', '3'],
    ['--size', '3'],
  ],
  [['--metrics-bind-address=:8443', '--metrics-secure', '--health-probe-bind-address=:8081'], []],
  [['--webhook-cert-path', '/tmp/certs', '--webhook-cert-name', 'tls.crt', '--verbose'], ['--verbose']],
  // As Go's flags may be written.
  [['-leader-elect', '-metrics-bind-address', ':8443', '-size=3'], ['-size=3']],
  [
    ['--no-leader-elect', '--my-webhook-url=x'],
    ['--no-leader-elect', '--my-webhook-url=x'],
  ],
])('of %j, %j are kept', (args, kept) => {
  expect(operatorFlags(args, addresses)).toEqual([...kept, ...own]);
});
