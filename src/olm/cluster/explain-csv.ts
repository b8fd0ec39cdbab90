import type { DeepReadonly } from 'ots-runtime';
import { oneLine } from '../../output/one-line.ts';
import type { ClusterServiceVersion } from './kinds.ts';
import type { Problem } from './problem.ts';

/** What to do about a reason that OLM gives, and whether only the user can change it. */
const reasons: Readonly<Record<string, { hint: string; isFinal?: boolean }>> = {
  UnsupportedOperatorGroup: {
    hint: 'Choose a namespace whose OperatorGroup fits, or add the install mode to the ClusterServiceVersion.',
    isFinal: true,
  },
  TooManyOperatorGroups: { hint: 'Delete all but one OperatorGroup of the namespace.', isFinal: true },
  NoOperatorGroup: {
    hint: 'Run the command again: the OperatorGroup of the namespace is gone.',
    isFinal: true,
  },
  InterOperatorGroupOwnerConflict: {
    hint: 'Another operator provides the same kinds: remove it, or let both watch different namespaces.',
    isFinal: true,
  },
  OwnerConflict: { hint: 'Another operator owns the same kinds: remove it first.', isFinal: true },
  InvalidInstallModes: { hint: 'Correct spec.installModes of the ClusterServiceVersion.', isFinal: true },
  InvalidInstallStrategy: { hint: 'Correct spec.install of the ClusterServiceVersion.', isFinal: true },
  InvalidWebhookDescription: {
    hint: 'Correct spec.webhookdefinitions of the ClusterServiceVersion.',
    isFinal: true,
  },
  InstallComponentFailedNoRetry: { hint: 'Correct what the message names in the bundle.', isFinal: true },
  CannotModifyStaticOperatorGroupProvidedAPIs: {
    hint: 'Choose another namespace: its OperatorGroup may not get further kinds.',
    isFinal: true,
  },
  InstallComponentFailed: { hint: 'Correct what the message names in the bundle.' },
  InstallCheckFailed: { hint: 'Look at the pods of the operator with kubectl get pods.' },
};

/** The status of requirements that OLM has found. */
const met = new Set(['Present', 'Satisfied', 'Created', undefined]);

/** What OLM does with a ClusterServiceVersion, and what keeps it. */
export function explainCsv(csv: DeepReadonly<ClusterServiceVersion>): {
  waitsFor: string;
  problem?: Problem;
} {
  const { phase = 'new', reason = '', message = '' } = csv.status ?? {};
  const { name } = csv.metadata;
  const why = reason === '' || reason === phase ? '' : `, ${oneLine(reason)}`;
  const waitsFor = `the ClusterServiceVersion ${name} (${oneLine(phase)}${why})`;
  if (phase === 'Pending') {
    const lacks = lackingRequirements(csv);
    if (lacks.length === 0) return { waitsFor };
    const hint = 'Install what provides it, or correct the requirement or the rights in the bundle.';
    return { waitsFor, problem: { problem: `${name} lacks ${lacks.join(', ')}`, hint } };
  }
  if (phase !== 'Failed') return { waitsFor };
  const { hint = 'Correct what the message names in the bundle, and run the command again.', isFinal } =
    reasons[reason] ?? {};
  const problem = `${name} failed: ${[reason, message].filter(Boolean).join(': ')}`;
  return { waitsFor, problem: { problem, hint, isFinal: isFinal ?? false } };
}

function lackingRequirements({ status }: DeepReadonly<ClusterServiceVersion>): string[] {
  return (status?.requirementStatus ?? [])
    .filter((requirement) => !met.has(requirement.status))
    .map(({ kind = '', name = '', message = '' }) =>
      oneLine(`${kind} ${name}${message ? ` (${message})` : ''}`),
    );
}
