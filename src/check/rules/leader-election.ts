import { isData } from '../../project/yaml/data.ts';
import type { Problem } from '../finding.ts';
import type { ProjectView } from '../project-view.ts';
import { mainFile } from '../source/sources.ts';

const roleFile = 'config/rbac/leader-election-role.yaml';

/** Checks that the role of leader election allows the lease that src/main.ts names: otherwise no replica becomes the leader. */
export function checkLeaderElection(view: ProjectView): Problem[] {
  const lease = leaseName(view);
  const [role] = view.yaml(roleFile)?.values ?? [];
  if (lease === undefined || !isData(role) || !Array.isArray(role['rules'])) return [];
  return role['rules'].flatMap((rule: unknown, index): Problem[] => {
    if (!isData(rule) || !includes(rule['resources'], 'leases') || !Array.isArray(rule['resourceNames']))
      return [];
    if (rule['resourceNames'].length === 0 || includes(rule['resourceNames'], lease)) return [];
    return [
      {
        ...view.place(roleFile, 0, ['rules', index, 'resourceNames', 0]),
        severity: 'error',
        message: `The role allows the lease ${rule['resourceNames'].map((name) => `"${name}"`).join(', ')}, but ${mainFile} elects with "${lease}"`,
        hint: `Write '${lease}' here, or change leaderElectionId in ${mainFile} back.`,
      },
    ];
  });
}

/** The constant of src/main.ts; undefined if the author computes it. */
function leaseName({ sources }: ProjectView): string | undefined {
  const init = sources.parse(mainFile)?.module.values.get('leaderElectionId')?.init;
  return init?.type === 'Literal' && typeof init.value === 'string' ? init.value : undefined;
}

function includes(list: unknown, value: string): boolean {
  return Array.isArray(list) && list.includes(value);
}
