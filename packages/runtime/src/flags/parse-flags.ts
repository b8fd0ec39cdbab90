import { type LabeledNamespaces, checkNamespaces } from '../cache/namespace-selection.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { LoggerOptions } from '../logging/create-logger.ts';
import { type LogLevel, logLevel } from '../logging/log-level.ts';
import type { ManagerOptions } from '../manager/manager-options.ts';
import { bindAddress } from './bind-address.ts';
import type { FlagTable, FlagValues } from './flag-definition.ts';
import { helpText } from './help-text.ts';
import { managerFlags } from './manager-flags.ts';
import { FlagError, readFlags } from './read-flags.ts';
import { webhookOptions } from './webhook-options.ts';

/** What to parse, and the flags in addition to those of every operator. */
export interface ParseFlagsOptions<Own extends FlagTable> {
  /** The name of the Lease that replicas compete for with `--leader-elect`, such as `my-operator.example.com`. */
  leaderElectionId: string;
  /** Custom flags; none by default. Their values are in `values` of the result. */
  flags?: Own | undefined;
  /** The arguments; `process.argv.slice(2)` by default. */
  argv?: readonly string[] | undefined;
  /** Environment variables; `process.env` by default. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The result of the command line and the environment. */
export interface ParsedFlags<Own extends FlagTable> {
  /** The text to print instead of running, if `--help` was given. */
  help: string | undefined;
  /** For `loadConfig`. */
  kubeconfig: string | undefined;
  /** For `createLogger`; without `format` if no flag sets it. */
  logger: LoggerOptions;
  /** For `Manager.create`, together with `connection` and `logger`. */
  manager: Omit<ManagerOptions, 'connection' | 'logger'>;
  /** The values of the custom flags. */
  values: FlagValues<Own>;
}

/**
 * Parses the flags of an operator, which have kubebuilder's names, and the environment variables `WATCH_NAMESPACE`,
 * `WATCH_NAMESPACE_SELECTOR` and `POD_NAMESPACE`; see `--help` of the program.
 * @throws {FlagError} if a flag is unknown or wrong. {UsageError} if the name of a custom flag is taken.
 */
export function parseFlags<const Own extends FlagTable = FlagTable>(
  options: ParseFlagsOptions<Own>,
): ParsedFlags<Own> {
  const { leaderElectionId, flags: own, argv = process.argv.slice(2), env = process.env } = options;
  const table: FlagTable = { ...managerFlags, ...own };
  const taken = Object.keys(own ?? {}).find((name) => Object.hasOwn(managerFlags, name));
  if (taken !== undefined) throw new UsageError(`--${taken} is already a flag`, 'Give yours another name.');
  const values = readFlags(table, argv, env);
  const known = values as FlagValues<typeof managerFlags>;
  return {
    help: known.help ? helpText(table) : undefined,
    kubeconfig: known.kubeconfig || undefined,
    logger: loggerOptions(known),
    manager: { ...managerOptions(known, leaderElectionId), cache: { namespaces: watchedNamespaces(env) } },
    values: Object.fromEntries(Object.keys(own ?? {}).map((name) => [name, values[name]])) as FlagValues<Own>,
  };
}

function loggerOptions(values: FlagValues<typeof managerFlags>): LoggerOptions {
  const encoder = values['zap-encoder']?.toLowerCase() || (values['zap-devel'] ? 'console' : undefined);
  if (encoder !== undefined && encoder !== 'json' && encoder !== 'console') {
    throw new FlagError(`--zap-encoder is ${JSON.stringify(encoder)}`, 'Use json or console.');
  }
  const times = values['zap-time-encoding'];
  if (times && !/^(iso8601|rfc3339|rfc3339nano)$/i.test(times)) {
    throw new FlagError(
      `--zap-time-encoding is ${JSON.stringify(times)}`,
      'Omit it: times in the log are ISO 8601, which is also RFC 3339.',
    );
  }
  const level =
    levelOf('--zap-log-level', values['zap-log-level']) ??
    levelOf('-v', values.v) ??
    (values['zap-devel'] ? 'debug' : 'info');
  return encoder === undefined ? { level } : { level, format: encoder === 'json' ? 'json' : 'pretty' };
}

function levelOf(flag: string, text: string | undefined): LogLevel | undefined {
  return text ? checked(flag, text, () => logLevel(text)) : undefined;
}

/** A wrong value is not a bug in the program: the user who started it has to correct it. */
function checked<T>(name: string, text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new FlagError(`${name} is ${JSON.stringify(text)}`, (error as UsageError).hint);
  }
}

function managerOptions(
  values: FlagValues<typeof managerFlags>,
  id: string,
): ParsedFlags<FlagTable>['manager'] {
  const address = (name: keyof typeof values): ReturnType<typeof bindAddress> =>
    bindAddress(`--${name}`, String(values[name]));
  const metrics = address('metrics-bind-address');
  if (values['debug-reconciles'] && !metrics) {
    throw new FlagError(
      '--debug-reconciles needs the metrics server, which is off',
      'Pass --metrics-bind-address too, such as :8443.',
    );
  }
  const profiling = address('profiling-bind-address');
  return {
    health: address('health-probe-bind-address'),
    metrics: metrics && {
      ...metrics,
      secure: values['metrics-secure'],
      certDir: values['metrics-cert-path'] || undefined,
      certName: values['metrics-cert-name'],
      keyName: values['metrics-cert-key'],
      ...(values['debug-reconciles'] && { debugReconciles: true }),
    },
    profiling,
    webhooks: webhookOptions(values),
    leaderElection: values['leader-elect'] && {
      id,
      namespace: values['leader-election-namespace'] || undefined,
    },
  };
}

/** Operator SDK's variable for names, and one for labels: both unset or empty for all namespaces. */
function watchedNamespaces(
  env: Readonly<Record<string, string | undefined>>,
): string[] | LabeledNamespaces | undefined {
  const text = env['WATCH_NAMESPACE'] ?? '';
  const names = text.split(',').map((name) => name.trim());
  const given = names.filter((name) => name !== '');
  const labelSelector = env['WATCH_NAMESPACE_SELECTOR']?.trim();
  if (labelSelector && given.length > 0) {
    throw new FlagError(
      'WATCH_NAMESPACE and WATCH_NAMESPACE_SELECTOR cannot be combined',
      'Set the first to names of namespaces, or the second to their labels.',
    );
  }
  if (labelSelector) {
    checked('WATCH_NAMESPACE_SELECTOR', labelSelector, () => checkNamespaces({ labelSelector }));
    return { labelSelector };
  }
  if (given.length === 0) return undefined;
  checked('WATCH_NAMESPACE', text, () => checkNamespaces(given));
  return given;
}
