import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import { quoted } from '../../project/names/quoted.ts';
import type { Csv } from '../bundle/csv.ts';

/** Names of install modes, the one that OLM users want first. */
const order = ['AllNamespaces', 'OwnNamespace', 'SingleNamespace', 'MultiNamespace'] as const;

/** Which namespaces an operator watches, as an OperatorGroup says it. */
type InstallMode = (typeof order)[number];

/** An install mode and the namespaces of its OperatorGroup; none for all. */
export interface ModeChoice {
  readonly mode: InstallMode;
  readonly targetNamespaces: readonly string[];
}

/**
 * Chooses the install mode for an operator.
 *
 * @param csv of the operator
 * @param namespace of the operator
 * @param flag the value of `--install-mode`: a mode, and for two of them `=` and namespaces, such as `SingleNamespace=web`
 * @returns without a flag the first mode that the operator supports and that needs no namespaces: AllNamespaces, OwnNamespace
 * @throws OtsError `INVALID_INSTALL_MODE` for a flag that is not a mode, `INSTALL_MODE` if the operator does not support it
 */
export function chooseMode(csv: Csv, namespace: string, flag: string | undefined): ModeChoice {
  const supported = supportedModes(csv);
  if (flag === undefined) {
    const mode = supported.find((each) => each === 'AllNamespaces' || each === 'OwnNamespace');
    if (mode) return choice(mode, [], namespace);
    throw new OtsError('INSTALL_MODE', `${nameOf(csv)} supports only ${namesOf(supported)}`, {
      hint: 'Say which namespaces it watches, such as --install-mode SingleNamespace=web.',
    });
  }
  const [name = '', names = ''] = flag.split(/=([^]*)/, 2);
  const mode = order.find((each) => each === name);
  const targets = names.split(',').flatMap((each) => each.trim() || []);
  const problem = mode === undefined ? 'is not an install mode' : argumentProblem(mode, targets, namespace);
  if (mode === undefined || problem !== undefined)
    throw new OtsError('INVALID_INSTALL_MODE', `${quoted(flag)} ${problem}`, {
      hint: 'Use AllNamespaces, OwnNamespace, SingleNamespace=<namespace> or MultiNamespace=<namespace>,<namespace>.',
    });
  if (supported.includes(mode)) return choice(mode, targets, namespace);
  throw new OtsError('INSTALL_MODE', `${nameOf(csv)} does not support the install mode ${mode}`, {
    hint: `Use --install-mode with one of these: ${namesOf(supported)}.`,
  });
}

/**
 * Why an operator cannot run in a namespace with this OperatorGroup.
 *
 * @param targets the namespaces of the OperatorGroup; none, or an empty name, for all
 * @returns undefined when it can
 */
export function modeProblem(csv: Csv, namespace: string, targets: readonly string[]): string | undefined {
  const needed = neededModes(namespace, targets);
  const supported = supportedModes(csv);
  const missing = needed.find((mode) => !supported.includes(mode));
  return missing === undefined
    ? undefined
    : `needs the install mode ${missing}, and ${nameOf(csv)} supports ${namesOf(supported)}`;
}

/** Source: `InstallModeSet.Supports` of operator-framework/api. */
function neededModes(namespace: string, targets: readonly string[]): InstallMode[] {
  const [first = ''] = targets;
  if (targets.length <= 1) {
    if (first === '') return ['AllNamespaces'];
    return [first === namespace ? 'OwnNamespace' : 'SingleNamespace'];
  }
  return targets.includes(namespace) ? ['MultiNamespace', 'OwnNamespace'] : ['MultiNamespace'];
}

function argumentProblem(
  mode: InstallMode,
  targets: readonly string[],
  namespace: string,
): string | undefined {
  if (mode === 'AllNamespaces') return targets.length > 0 ? 'names namespaces' : undefined;
  if (mode === 'OwnNamespace')
    return targets.some((target) => target !== namespace) ? 'names another namespace' : undefined;
  if (targets.length === 0) return 'names no namespace';
  if (mode === 'MultiNamespace') return undefined;
  if (targets.length > 1) return 'names several namespaces';
  return targets[0] === namespace ? 'names the namespace of the operator, which is OwnNamespace' : undefined;
}

function choice(mode: InstallMode, targets: readonly string[], namespace: string): ModeChoice {
  const targetNamespaces =
    mode === 'AllNamespaces' ? [] : mode === 'OwnNamespace' ? [namespace] : [...new Set(targets)];
  return { mode, targetNamespaces };
}

function supportedModes({ spec }: Csv): InstallMode[] {
  const modes = new Set((spec?.installModes ?? []).flatMap(({ type, supported }) => (supported ? type : [])));
  return order.filter((mode) => modes.has(mode));
}

function nameOf({ metadata }: Csv): string {
  return oneLine(metadata?.name ?? 'the operator');
}

function namesOf(modes: readonly InstallMode[]): string {
  return modes.length === 0 ? 'no install mode' : modes.join(', ');
}
