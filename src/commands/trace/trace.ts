import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { quoted } from '../../project/names/quoted.ts';
import { workingDirectory } from '../shared/report-options.ts';
import { fetchRecords } from './fetch-records.ts';
import { formatRecords } from './format-records.ts';
import { Kubectl, type NamespacedName } from './kubectl.ts';

/** The flags of `ots trace`. */
export interface TraceOptions extends CommonOptions {
  pod?: string;
  port?: string;
  url?: string;
  serviceAccount?: string;
  token?: string;
  page?: boolean;
  kubeconfig?: string;
  context?: string;
}

/**
 * `ots trace`: prints what `/debug/reconciles` of an operator says, or with `--page` shows it on a page. With `--json`, as the operator sends it: an object whose
 * `records` have the newest first.
 *
 * @throws InterruptedError when `--page` ends
 * @throws UsageError `TRACE_FLAGS` if flags are missing or exclude each other
 * @throws OtsError `INVALID_PORT`, `INVALID_URL`, `INVALID_NAME`, `KUBECTL_MISSING`, `KUBECTL_FAILED`, `TRACE_FAILED`
 */
export async function trace(options: TraceOptions, context: Context): Promise<void> {
  checkFlags(options);
  const kubectl = new Kubectl(options, workingDirectory(options, context), context);
  const pod = options.pod === undefined ? undefined : namespacedName('--pod', options.pod);
  const port = portOf(options);
  const url = urlOf(options);
  const token = options.token ?? (await tokenOf(options, pod, kubectl));
  const records = pod
    ? await kubectl.forwarded(pod, port, (local) => fetchRecords(localUrl(local, token), token))
    : await fetchRecords(url!, token);
  if (options.page) {
    const { showPage } = await import('./show-page.ts');
    await showPage(records, options.pod ?? url!.host, options, context);
  }
  if (options.json) context.stdout.write(`${JSON.stringify({ records })}\n`);
  else if (records.length === 0) context.stdout.write('no reconciles yet\n');
  else context.stdout.write(formatRecords(records, context.stdout.columns ?? 80));
}

function checkFlags({ pod, url, port, token, serviceAccount }: TraceOptions): void {
  const problem =
    (pod === undefined) === (url === undefined)
      ? 'Either --pod or --url is needed'
      : url !== undefined && port !== undefined
        ? '--port is for --pod; a URL has its own'
        : token !== undefined && serviceAccount !== undefined
          ? '--token and --service-account exclude each other'
          : undefined;
  if (problem === undefined) return;
  throw new UsageError('TRACE_FLAGS', problem, { hint: 'See ots trace --help.' });
}

/** Without a token, the metrics server cannot be one that asks for it. */
function localUrl(port: number, token: string | undefined): URL {
  return new URL(`${token === undefined ? 'http' : 'https'}://127.0.0.1:${port}`);
}

async function tokenOf(
  { serviceAccount }: TraceOptions,
  pod: NamespacedName | undefined,
  kubectl: Kubectl,
): Promise<string | undefined> {
  if (serviceAccount === undefined) return undefined;
  const account = namespacedName('--service-account', serviceAccount);
  return kubectl.token({ name: account.name, namespace: account.namespace ?? pod?.namespace });
}

function portOf({ port = '8443' }: TraceOptions): number {
  if (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535) return Number(port);
  throw new OtsError('INVALID_PORT', `${quoted(port)} is not a port`, {
    hint: 'Use a number from 1 to 65535.',
  });
}

function urlOf({ url }: TraceOptions): URL | undefined {
  if (url === undefined) return undefined;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && /^https?:$/.test(parsed.protocol)) return parsed;
  throw new OtsError('INVALID_URL', `${quoted(url)} is not a URL of HTTP`, {
    hint: 'Use the address of the metrics server, such as https://127.0.0.1:8443.',
  });
}

/** kubectl must not take a name for a flag or for another resource. */
function namespacedName(flag: string, text: string): NamespacedName {
  const match = /^(?:([a-z0-9][a-z0-9-]*)\/)?([a-z0-9][a-z0-9.-]*)$/.exec(text);
  if (match) return { namespace: match[1], name: match[2]! };
  throw new OtsError('INVALID_NAME', `${flag} is ${quoted(text)}`, { hint: 'Use name or namespace/name.' });
}
