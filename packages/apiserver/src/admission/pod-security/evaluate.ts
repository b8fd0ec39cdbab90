import type { Check, CheckedPod, Violation } from './check.ts';
import { exceptInUserNamespaces, exceptOnWindows } from './check.ts';
import { appArmorProfile } from './checks/app-armor.ts';
import { defaultCapabilities, droppedCapabilities } from './checks/capabilities.ts';
import { hostNamespaces, hostPathVolumes, hostPorts, hostProbesAndLifecycle } from './checks/host-access.ts';
import { allowPrivilegeEscalation, privileged, procMount, windowsHostProcess } from './checks/privileges.ts';
import { restrictedVolumes } from './checks/restricted-volumes.ts';
import { seLinuxOptions10, seLinuxOptions31 } from './checks/se-linux.ts';
import { requiredSeccompProfile, seccompAnnotations, seccompProfile } from './checks/seccomp.ts';
import { sysctls10, sysctls27, sysctls29, sysctls32 } from './checks/sysctls.ts';
import { runAsNonRoot, runAsUser } from './checks/users.ts';
import type { LevelVersion } from './policy.ts';

/** A rule of the Pod Security Standards. Its checks apply from a minor version of Kubernetes on; the last one counts. */
interface Rule {
  readonly checks: readonly (readonly [since: number, check: Check])[];
  /** The restricted rule that replaces it, once that has a check. */
  readonly replacedBy?: Rule;
}

const droppedCapabilitiesRule: Rule = {
  checks: [
    [22, droppedCapabilities],
    [25, exceptOnWindows(droppedCapabilities)],
  ],
};
const procMountRule: Rule = { checks: [[35, procMount]] };
const volumesRule: Rule = { checks: [[0, restrictedVolumes]] };
const seccompRule: Rule = {
  checks: [
    [19, requiredSeccompProfile],
    [25, exceptOnWindows(requiredSeccompProfile)],
  ],
};

/** In the order in which messages list what they found. */
const baseline: readonly Rule[] = [
  { checks: [[0, appArmorProfile]] },
  { checks: [[0, defaultCapabilities]], replacedBy: droppedCapabilitiesRule },
  { checks: [[0, hostNamespaces]] },
  { checks: [[0, hostPathVolumes]], replacedBy: volumesRule },
  { checks: [[0, hostPorts]] },
  { checks: [[34, hostProbesAndLifecycle]] },
  { checks: [[0, privileged]] },
  {
    checks: [
      [0, procMount],
      [35, exceptInUserNamespaces(procMount)],
    ],
    replacedBy: procMountRule,
  },
  {
    checks: [
      [0, seLinuxOptions10],
      [31, seLinuxOptions31],
    ],
  },
  {
    checks: [
      [0, seccompAnnotations],
      [19, seccompProfile],
    ],
    replacedBy: seccompRule,
  },
  {
    checks: [
      [0, sysctls10],
      [27, sysctls27],
      [29, sysctls29],
      [32, sysctls32],
    ],
  },
  { checks: [[0, windowsHostProcess]] },
];
const restricted: readonly Rule[] = [
  {
    checks: [
      [8, allowPrivilegeEscalation],
      [25, exceptOnWindows(allowPrivilegeEscalation)],
    ],
  },
  droppedCapabilitiesRule,
  procMountRule,
  volumesRule,
  {
    checks: [
      [0, runAsNonRoot],
      [35, exceptInUserNamespaces(runAsNonRoot)],
    ],
  },
  {
    checks: [
      [23, runAsUser],
      [35, exceptInUserNamespaces(runAsUser)],
    ],
  },
  seccompRule,
];

/** How a pod breaks the rules of a level of the Pod Security Standards. */
export function violationsOf(pod: CheckedPod, { level, version }: LevelVersion): Violation[] {
  if (level === 'privileged') return [];
  const checks = [
    ...baseline.filter(
      ({ replacedBy }) => level === 'baseline' || !replacedBy || !checkOf(replacedBy, version),
    ),
    ...(level === 'restricted' ? restricted : []),
  ].map((rule) => checkOf(rule, version));
  return checks.flatMap((check) => check?.(pod) ?? []);
}

/** What a pod breaks, in one line; undefined if it is fine. */
export function describeViolations(pod: CheckedPod, policy: LevelVersion): string | undefined {
  const violations = violationsOf(pod, policy);
  if (violations.length === 0) return undefined;
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}

function checkOf({ checks }: Rule, version: number): Check | undefined {
  return checks.findLast(([since]) => since <= version)?.[1];
}
