/** Flags of the Deployment that make no sense on a laptop: other addresses, other certificates, a single replica. */
const replaced = /^--?(?:leader-elect|health-probe-bind-address|metrics-|webhook-)/;

/** Where the operator listens, and whom it connects to. */
export interface OperatorAddresses {
  readonly kubeconfig: string;
  readonly healthPort: number;
  readonly webhookPort: number;
  /** A directory with `tls.crt` and `tls.key`. */
  readonly certificates: string;
}

/**
 * The flags of the operator's process: those of its Deployment, but for this machine alone.
 *
 * @param args of the Deployment: `--name=value`, `--name`, or `--name` followed by its value; one dash or two
 */
export function operatorFlags(args: readonly string[], addresses: OperatorAddresses): string[] {
  return [
    ...withoutReplaced(args),
    '--kubeconfig',
    addresses.kubeconfig,
    `--health-probe-bind-address=127.0.0.1:${addresses.healthPort}`,
    '--metrics-bind-address=0',
    `--webhook-cert-path=${addresses.certificates}`,
    '--webhook-host=127.0.0.1',
    `--webhook-port=${addresses.webhookPort}`,
  ];
}

function withoutReplaced(args: readonly string[]): string[] {
  const kept: string[] = [];
  let isValueReplaced = false;
  for (const arg of args) {
    const isFlag = arg.startsWith('-');
    if (isFlag) isValueReplaced = replaced.test(arg);
    if (!isValueReplaced) kept.push(arg);
  }
  return kept;
}
